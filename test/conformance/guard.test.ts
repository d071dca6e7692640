/** Tests that the kernel, which has no login, rejects requests from web pages of other sites. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parsedSettings } from '../harness/settings.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';

const FRIEND = 'https://friend.example';
const kernel = sharedKernel({
  settings: { server: { cors_origins: [FRIEND], allowed_hosts: ['chat.home'] } },
});

const shelf = async () => (await kernel.api.get('/v1/chats?shelf=guarded')).body.chats.length;
const create = (headers: Record<string, string>) =>
  kernel.api.raw('/v1/chats', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"shelf":"guarded"}',
  });

test('[AUTH-1] requires no token, and ignores one that is sent', async () => {
  const { api } = kernel;
  for (const headers of [{}, { 'x-service-token': 'wrong' }, { authorization: 'Bearer wrong' }]) {
    const { status, headers: answered } = await api.get('/v1/chats', headers as Record<string, string>);
    expect(status).toBe(200);
    expect(answered).not.toHaveProperty('www-authenticate');
    expect(answered).not.toHaveProperty('set-cookie');
  }
});

test('[AUTH-1] [AUTH-4] listens on loopback only by default', () => {
  expect(parsedSettings({}).server).toMatchObject({ host: '127.0.0.1', allowed_hosts: [], cors_origins: [] });
  expect(new URL(kernel.url).hostname).toBe('127.0.0.1');
});

test('[AUTH-4] rejects requests under a foreign host name, as after DNS rebinding', async () => {
  const host = 'localhost.stranger.example';
  const before = await shelf();
  const { status, body } = await create({ host });
  expect([status, body.code]).toEqual([403, 'forbidden_host']);
  for (const path of ['/v1/openapi.json', '/apidocs', '/v1/chats', '/nothing']) {
    expect((await kernel.api.raw(path, { method: 'GET', headers: { host } })).status).toBe(403);
  }
  expect(await shelf()).toBe(before);
});

test('[AUTH-4] rejects reads and writes of a page of a foreign origin', async () => {
  const origin = 'https://friend.example.org';
  const before = await shelf();
  const { status, headers, body } = await create({ origin });
  expect([status, body.code]).toEqual([403, 'forbidden_origin']);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  const read = await kernel.api.get('/v1/chats', { origin });
  expect(read.status).toBe(403);
  expect(read.headers).not.toHaveProperty('access-control-allow-origin');
  expect(await shelf()).toBe(before);
});

test('[AUTH-4] guards streams like other requests', async () => {
  const chat = await kernel.api.newChat();
  const asked = kernel.upstream.requests.length;
  const refused = await kernel.api.raw(`/v1/chats/${chat.id}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://stranger.example' },
    body: '{"text":"Hi."}',
  });
  expect(refused.status).toBe(403);
  expect(kernel.upstream.requests.length).toBe(asked);
  const stream = await kernel.api.turn(chat.id, { text: 'Hi.' }, { origin: FRIEND });
  expect(stream.headers).toMatchObject({
    'access-control-allow-origin': FRIEND,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  await stream.all();
});

describe('[CONSENT-12] a request that another site sent without an Origin', () => {
  /** Sends the headers as they are: fetch sets some of them itself. The API document describes no pages. */
  const fetched = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const sent = request(kernel.url + path, { method, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  test.each(['cross-site', 'same-site'])('is refused if its site is %s', async site => {
    for (const path of ['/v1/chats', '/v1/hands/live?client_id=x&name=stolen', '/', '/icon.svg', '/mcp']) {
      const { status, body } = await fetched(path, { ...IMAGE, 'sec-fetch-site': site });
      expect([path, status, body]).toEqual([path, 403, expect.stringContaining('Sec-Fetch-Site')]);
    }
    const names = (await kernel.client.listHands()).hands.map(each => each.name);
    expect(names).not.toContain('stolen');
  });

  test('may show files and images', async () => {
    const { id } = await kernel.client.uploadFile({
      name: 'a.txt',
      media_type: 'text/plain',
      bytes: Buffer.from('Hello.'),
    });
    for (const method of ['GET', 'HEAD']) {
      expect((await fetched(`/files/${id}`, IMAGE, method)).status).toBe(200);
    }
    expect((await fetched('/images/unknown', IMAGE)).status).toBe(404);
  });

  test('may follow a link to a page and come back from a sign-in, but not open an address of the API', async () => {
    for (const path of ['/', '/chats/some', '/apidocs']) {
      expect([path, (await fetched(path, LINK)).status]).toEqual([path, 200]);
    }
    expect((await fetched('/v1/guests/callback?state=x', LINK)).status).not.toBe(403);
    expect((await fetched('/v1/chats', LINK)).status).toBe(403);
    expect((await fetched('/', { ...LINK, 'sec-fetch-dest': 'iframe' })).status).toBe(403);
  });

  test('is accepted if a page of the kernel or the address bar sent it, or an allowed origin', async () => {
    for (const site of ['same-origin', 'none']) {
      expect((await fetched('/v1/chats', { ...IMAGE, 'sec-fetch-site': site })).status).toBe(200);
    }
    expect((await fetched('/v1/chats', { ...IMAGE, origin: FRIEND })).status).toBe(200);
  });

  test('does not share a window with what it opened', async () => {
    // Without Accept: text/html, which would build the page.
    for (const path of ['/', '/apidocs', '/v1/chats']) {
      const { headers } = await fetched(path, {});
      expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' });
    }
  });
});
