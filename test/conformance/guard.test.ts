/** The kernel asks nobody who they are, so it listens to nobody who comes in by a web page of someone else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { parsedSettings } from '../harness/settings.ts';

const FRIEND = 'https://friend.example';
let kernel: TestKernel;
let port: string;
beforeAll(async () => {
  kernel = await startKernel({
    settings: { server: { cors_origins: [FRIEND], allowed_hosts: ['chat.home'] } },
  });
  port = new URL(kernel.url).port;
});
afterAll(() => kernel.stop());

const shelf = async () => (await kernel.api.get('/v1/chats?shelf=guarded')).body.chats.length;
const create = (headers: Record<string, string>) =>
  kernel.api.raw('/v1/chats', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"shelf":"guarded"}',
  });

test('[AUTH-1] no token is asked for, and one that is sent changes nothing', async () => {
  const { api } = kernel;
  for (const headers of [{}, { 'x-service-token': 'wrong' }, { authorization: 'Bearer wrong' }]) {
    const { status, headers: answered } = await api.get('/v1/chats', headers as Record<string, string>);
    expect(status).toBe(200);
    expect(answered).not.toHaveProperty('www-authenticate');
    expect(answered).not.toHaveProperty('set-cookie');
  }
});

test('[AUTH-1] [AUTH-4] by itself the kernel listens on loopback alone', () => {
  expect(parsedSettings({}).server).toMatchObject({ host: '127.0.0.1', allowed_hosts: [], cors_origins: [] });
  expect(new URL(kernel.url).hostname).toBe('127.0.0.1');
});

test.each([
  'stranger.example',
  'localhost.stranger.example',
  '127.0.0.1.stranger.example',
  'stranger.example:80',
  'localhost@stranger.example',
  '10.0.0.1',
])('[AUTH-4] under the name %s nothing answers, as after a rebinding of names', async host => {
  const before = await shelf();
  const { status, body } = await create({ host });
  expect([status, body.code]).toEqual([403, 'forbidden_host']);
  for (const path of ['/v1/openapi.json', '/apidocs', '/v1/chats', '/nothing']) {
    expect((await kernel.api.raw(path, { method: 'GET', headers: { host } })).status).toBe(403);
  }
  expect(await shelf()).toBe(before);
});

test('[AUTH-4] its own names are answered, with any port', async () => {
  for (const host of [
    'localhost',
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    '[::1]',
    'LOCALHOST',
    'chat.home',
  ]) {
    expect([host, (await kernel.api.get('/v1/chats', { host })).status]).toEqual([host, 200]);
  }
});

test.each([
  'https://stranger.example',
  'null',
  'http://localhost:1',
  'https://friend.example.org',
  'file://',
])('[AUTH-4] a page of the origin %s can neither read nor write', async origin => {
  const before = await shelf();
  const { status, headers, body } = await create({ origin });
  expect([status, body.code]).toEqual([403, 'forbidden_origin']);
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  const read = await kernel.api.get('/v1/chats', { origin });
  expect(read.status).toBe(403);
  expect(read.headers).not.toHaveProperty('access-control-allow-origin');
  expect(await shelf()).toBe(before);
});

test('[AUTH-4] a page cannot send a message as a form would, without asking first', async () => {
  const before = await shelf();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status, body } = await create({ 'content-type': type });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  }
  expect(await shelf()).toBe(before);
});

test('[AUTH-4] an origin that the settings name may ask, and read the answer', async () => {
  const preflight = (origin: string) =>
    kernel.api.raw('/v1/chats', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,idempotency-key',
      },
    });
  const asked = await preflight(FRIEND);
  expect([asked.status, asked.body]).toEqual([204, undefined]);
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': FRIEND,
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': expect.stringMatching(/content-type.*idempotency-key/i),
  });
  const answered = await create({ origin: FRIEND });
  expect(answered.status).toBe(201);
  expect(answered.headers).toMatchObject({
    'access-control-allow-origin': FRIEND,
    'access-control-expose-headers': expect.stringMatching(/x-turn-id/i),
    vary: expect.stringMatching(/origin/i),
  });
  expect(answered.headers).not.toHaveProperty('access-control-allow-credentials');

  const stranger = await preflight('https://stranger.example');
  expect(stranger.status).toBe(403);
  expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
});

test('[AUTH-4] its own page may do all', async () => {
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
    expect((await create({ host, origin: `http://${host}` })).status).toBe(201);
  }
  expect((await create({ host: `localhost:${port}`, origin: `http://127.0.0.1:${port}` })).status).toBe(403);
});

test('[AUTH-4] a stream is guarded as all else is', async () => {
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
