/** Mails whose signature does not prove that the owner wrote them. All names are sentences about what someone did. */
import { above, dateOf, FORGED, fieldsOf, mail, type Sample, stranger, TEXT } from './samples.ts';
import { OWNER } from './servers.ts';
import { ALL, signature, written } from './sign.ts';

const senders = [
  stranger('writes two addresses into From', mail({ From: `${OWNER}, eve@evil.test` })),
  stranger('writes a group into From', mail({ From: `All: ${OWNER}, eve@evil.test;` })),
  stranger(
    'writes the address of the owner as a name',
    mail({ From: `"${OWNER}" <eve@evil.test>` }, { domain: 'evil.test' }),
  ),
  stranger(
    'writes the address of the owner as a comment',
    mail({ From: `eve@evil.test (${OWNER})` }, { domain: 'evil.test' }),
  ),
  stranger(
    'encodes the address of the owner',
    mail({ From: `=?utf-8?q?${OWNER.replace('@', '=40')}?= <eve@evil.test>` }, { domain: 'evil.test' }),
  ),
  stranger('is another address of the domain', mail({ From: 'eve@owner.test' })),
  stranger('uses a longer domain', mail({ From: `${OWNER}.evil.test` }, { domain: 'owner.test.evil.test' })),
  stranger('writes no address', mail({ From: 'The Owner' })),
];

const keys = [
  ...['testing', 'revoked', 'weak', 'other', 'sha1', 'web', 'missing'].map(selector =>
    stranger(`signs with a key that is ${selector}`, mail({}, { selector })),
  ),
  ...['evil.test', 'sub.owner.test', 'test'].map(domain =>
    stranger(`signs as ${domain}`, mail({}, { domain })),
  ),
  stranger(
    'signs as the parent of the domain',
    mail({ From: 'owner@sub.owner.test' }, { domain: 'owner.test' }),
  ),
  stranger(
    'signs for a subdomain with a key that forbids it',
    mail({}, { selector: 'strict', tags: 'i=@sub.owner.test; ' }),
  ),
  stranger('signs for another identity', mail({}, { domain: 'evil.test', tags: 'i=@owner.test; ' })),
  stranger(
    'signs as another domain, above a broken signature',
    above(signature(fieldsOf(), FORGED).join(': '), mail({}, { domain: 'evil.test' })),
  ),
  stranger('signs with two domains', mail({}, { tags: 'd=evil.test; ' })),
  stranger('does not sign', written(fieldsOf(), TEXT)),
  stranger('signs thousands of names', mail({}, { names: `${ALL}:${'x:'.repeat(5000)}x` })),
  stranger(
    'writes thousands of headers',
    above(Array.from({ length: 10_000 }, (_, n) => `Content-${n}: x`).join('\r\n')),
  ),
  stranger(
    'writes a thousand signatures',
    above(Array.from({ length: 1000 }, () => 'DKIM-Signature: v=1').join('\r\n')),
  ),
];

const pass = `mx.kernel.test; dkim=pass header.d=owner.test; spf=pass smtp.mailfrom=${OWNER}; dmarc=pass header.from=owner.test`;
const results = [
  ...[
    pass,
    `mx.kernel.test; spf=none (helo=x) ; dmarc=pass header.from=owner.test`,
    `mx.kernel.test (1); dkim=pass (2048-bit key) header.i=@owner.test`,
  ].map(value =>
    stranger(
      `adds the result ${value}`,
      above(`Authentication-Results: ${value}`, written(fieldsOf(), TEXT)),
    ),
  ),
  stranger(
    'adds a result to a mail of another domain',
    above(`Authentication-Results: ${pass}`, mail({}, { domain: 'evil.test' })),
  ),
  stranger(
    'adds Received-SPF',
    above(`Received-SPF: pass client-ip=127.0.0.1; envelope-from=${OWNER};`, written(fieldsOf(), TEXT)),
  ),
  stranger(
    'adds a Received line of the own server',
    above(
      `Return-Path: <${OWNER}>\r\nReceived: from x (x [127.0.0.1]) by mx.kernel.test; ${dateOf(0)}`,
      written(fieldsOf(), TEXT),
    ),
  ),
  stranger(
    'adds a chain of ARC',
    above(`ARC-Authentication-Results: i=1; ${pass}`, written(fieldsOf(), TEXT)),
  ),
];

export const FORGED_SENDERS: readonly Sample[] = [...senders, ...keys, ...results];
