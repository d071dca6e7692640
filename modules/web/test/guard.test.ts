/** Tests that no model and no page can reach addresses that are private to this machine. */
import type { LookupAddress } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { INTERNET } from '@chat-kernel/net';
import { expect, it } from 'vitest';
import { moduleWith, site, siteWith } from './site.ts';

const PUBLIC = { address: '93.184.215.14', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const REFUSED =
  / is this machine or on a private network, which this tool does not access\. The owner can allow it with allow: \['.*'\] in the settings of the web module\.$/;

it.each([
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
])('does not access %s', async host => {
  const { url } = await siteWith('secret');
  const kernel = await moduleWith();
  const { output, is_error } = await kernel.call('fetch', { url: url.replace('127.0.0.1', host) });
  expect([is_error, output]).toEqual([true, expect.stringMatching(REFUSED)]);
});

it('does not access the public addresses of this machine', async () => {
  const kernel = await moduleWith();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap(cards => cards ?? [])) {
    const host = family === 'IPv6' ? `[${address}]` : address;
    expect((await kernel.call('fetch', { url: `http://${host}/` })).output).toMatch(REFUSED);
  }
});

it('rejects a redirect to this machine and names both URLs', async () => {
  let reached = false;
  const inner = await site((_, response) => {
    reached = true;
    response.end('secret');
  });
  const outer = await site((_, response) =>
    response.writeHead(302, { location: `${inner.url}/admin` }).end(),
  );
  const kernel = await moduleWith({ allow: [outer.host] });
  expect(await kernel.call('fetch', { url: outer.url })).toEqual({
    output: `${outer.url}/ redirects to ${inner.url}/admin. ${inner.host} is this machine or on a private network, which this tool does not access. The owner can allow it with allow: ['${inner.host}'] in the settings of the web module.`,
    is_error: true,
  });
  expect(reached).toBe(false);
});

it.each([
  ['to a file', 'file:///etc/passwd', 'file:///etc/passwd is not a web URL'],
  ['with a login', 'http://a:b@example.org/', 'contains credentials'],
  ['in a loop', '/', 'redirects more than 10 times'],
])('rejects a redirect %s', async (_, location, sentence) => {
  const { host, url } = await site((_, response) => response.writeHead(307, { location }).end());
  const kernel = await moduleWith({ allow: [host] });
  const { output, is_error } = await kernel.call('fetch', { url });
  expect([is_error, output]).toEqual([true, expect.stringContaining(sentence)]);
});

it('resolves a name once and connects to the checked address', async () => {
  const page = await siteWith('public', 'text/plain');
  const asked: string[] = [];
  const dialled: LookupAddress[] = [];
  const internet = {
    async resolve(host: string) {
      asked.push(host);
      // The owner of the name returns another address the second time.
      return [asked.length === 1 ? PUBLIC : LOOPBACK];
    },
    dial(address: LookupAddress) {
      dialled.push(address);
      return LOOPBACK;
    },
  };
  const kernel = await moduleWith({}, { internet });
  const url = page.url.replace('127.0.0.1', 'turning.test');
  expect((await kernel.call('fetch', { url })).output).toMatch(/\n\npublic$/);
  expect([asked, dialled]).toEqual([['turning.test'], [PUBLIC]]);
  expect((await kernel.call('fetch', { url })).output).toContain('(127.0.0.1) is this machine');
  expect(dialled).toEqual([PUBLIC]);
});

it('rejects a name if any of its addresses is private', async () => {
  const internet = { ...INTERNET, resolve: async () => [PUBLIC, { address: '10.0.0.7', family: 4 }] };
  const kernel = await moduleWith({}, { internet });
  expect((await kernel.call('fetch', { url: 'https://both.test/' })).output).toContain(
    'both.test (10.0.0.7) is this machine or on a private network',
  );
});

it('allows a host only at the allowed port', async () => {
  const page = await siteWith('mine', 'text/plain');
  const read = async (allow: string[]) =>
    (await (await moduleWith({ allow })).call('fetch', { url: page.url })).output;
  expect(await read([page.host])).toMatch(/\n\nmine$/);
  expect(await read(['127.0.0.1'])).toMatch(REFUSED);
});

it('reports a name that does not resolve', async () => {
  const kernel = await moduleWith();
  const { output, is_error } = await kernel.call('fetch', { url: 'http://no-such-host.invalid/' });
  expect(is_error).toBe(true);
  expect(output).toMatch(
    /^The host no-such-host\.invalid does not exist\.$|^The host name no-such-host\.invalid could not be/,
  );
});

it('hides both tools from untrusted people', async () => {
  const { declaration } = await moduleWith({ searxng: { url: 'http://127.0.0.1:1' } });
  expect(declaration.tools.map(({ name, trusted_only }) => [name, trusted_only])).toEqual([
    ['fetch', true],
    ['search', true],
  ]);
});
