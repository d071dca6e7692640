/** Signs mails by DKIM (RFC 6376, relaxed/relaxed) with any list of headers, as the servers of providers do. */
import { createHash, createSign, generateKeyPairSync } from 'node:crypto';

const pair = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const strong = pair(2048);
const weak = pair(512);
const record = (tags = '', { publicKey } = strong) =>
  `v=DKIM1; k=rsa; ${tags}p=${publicKey.toString('base64')}`;

/** The keys of all domains: each selector has a peculiarity. */
export const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  ['owner.test', 'sub.owner.test', 'test', 'friends.test', 'evil.test', 'owner.test.evil.test'].flatMap(
    domain => [
      [`s1._domainkey.${domain}`, record()],
      [`testing._domainkey.${domain}`, record('t=y; ')],
      [`strict._domainkey.${domain}`, record('t=s; ')],
      [`sha1._domainkey.${domain}`, record('h=sha1; ')],
      [`web._domainkey.${domain}`, record('s=web; ')],
      [`weak._domainkey.${domain}`, record('', weak)],
      [`other._domainkey.${domain}`, record('', pair(1024))],
      [`revoked._domainkey.${domain}`, 'v=DKIM1; k=rsa; p='],
    ],
  ),
);

export type Fields = readonly (readonly [name: string, value: string])[];

export interface Signing {
  domain?: string;
  selector?: string;
  /** The names of the signed headers, separated by colons; default: all that are present, once. */
  names?: string;
  /** More tags of the signature, such as `l=5; `. */
  tags?: string;
}

export const ALL =
  'from:to:cc:subject:date:message-id:in-reply-to:references:mime-version:content-type:content-transfer-encoding:content-disposition';

const collapsed = (text: string) => text.replace(/[ \t]+/g, ' ');
const relaxed = (name: string, value: string) =>
  `${name.toLowerCase()}:${collapsed(value.replaceAll('\r\n', '')).trim()}`;
const relaxedBody = (body: string) => {
  const lines = body.split('\r\n').map(line => collapsed(line).trimEnd());
  const text = lines.join('\r\n').replace(/(?:\r\n)+$/, '');
  return text === '' ? '' : `${text}\r\n`;
};

const present = (fields: Fields): string => {
  const has = new Set(fields.map(([name]) => name.toLowerCase()));
  return ALL.split(':')
    .filter(name => has.has(name))
    .join(':');
};

/** The header `DKIM-Signature` for a mail. */
export function signature(
  fields: Fields,
  body: string,
  { domain = 'owner.test', selector = 's1', names = present(fields), tags = '' }: Signing = {},
): readonly [string, string] {
  const left = [...fields];
  const lines = names.split(':').flatMap(name => {
    const at = left.findLastIndex(([field]) => field.toLowerCase() === name.toLowerCase());
    return at < 0 ? [] : left.splice(at, 1).map(([field, value]) => relaxed(field, value));
  });
  const limit = /\bl=(\d+)/.exec(tags)?.[1];
  const hashed = limit === undefined ? relaxedBody(body) : relaxedBody(body).slice(0, Number(limit));
  const bodyHash = createHash('sha256').update(hashed, 'latin1').digest('base64');
  const value = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}; ${tags}h=${names}; bh=${bodyHash}; b=`;
  const signed = [...lines, relaxed('DKIM-Signature', value)].join('\r\n');
  const { privateKey } = selector === 'weak' ? weak : strong;
  return [
    'DKIM-Signature',
    value + createSign('RSA-SHA256').update(signed, 'latin1').sign(privateKey, 'base64'),
  ];
}

export const written = (fields: Fields, body: string): string =>
  `${fields.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;

/** A complete signed mail. */
export const signed = (fields: Fields, body: string, signing?: Signing): string =>
  written([signature(fields, body, signing), ...fields], body);
