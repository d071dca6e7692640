/** Tests the real shipped proxies: who gets access, and that streams are not buffered. */
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../harness/client.ts';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { ERAS, mcpClientOf } from '../harness/mcp.ts';
import { MODEL, openaiOf } from '../harness/openai.ts';
import { PATIENT } from '../harness/patient.ts';
import { textOf } from '../harness/story.ts';
import { expectOneByOne } from './pace.ts';
import { caddy, caddyWithoutToken, missing, nginx, type RunningProxy, TOKEN } from './proxies.ts';

const MAX_BYTES = 1_000_000;
const token = { 'x-service-token': TOKEN };

for (const kind of [nginx, caddy]) {
  const why = missing(kind.name);
  describe.skipIf(why)(`${kind.name}${why ? ` (${why})` : ''}`, () => {
    let kernel: TestKernel;
    let proxy: RunningProxy;
    let api: ApiClient;
    beforeAll(async () => {
      const server = { public_url: 'https://chat.example.org', cors_origins: ['https://app.example.org'] };
      kernel = await startKernel({ settings: { server, files: { max_bytes: MAX_BYTES } } });
      proxy = await kind.start(kernel.url);
      api = new ApiClient(proxy.url);
    });
    afterAll(async () => {
      await proxy?.stop();
      await kernel?.stop();
    });

    const statusOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const answer = await asWritten(proxy.url, path, { method, headers });
      await bytesOf(answer);
      return answer.statusCode;
    };

    test('[AUTH-2] [AUTH-3] requires the complete token for all of /v1, however the path is written', async () => {
      const paths = ['/v1/chats', '/v1/config', '/v1/openapi.jsonx', '/v1/openapi.json/', '/v1/', '/v1'];
      const hidden = [
        '/files/../v1/chats',
        '/v1/../files/x',
        '/v1/chats/..%2f..%2ffiles%2fx',
        '/%76%31/chats',
        '//v1/chats',
        '/V1/chats',
        '/files/..%2fv1%2fchats',
        '/apidocs/../v1/chats',
        '/v1/chats?/v1/openapi.json',
        '/metrics',
        '/readyz',
      ];
      for (const path of [...paths, ...hidden]) expect(await statusOf('GET', path), path).toBe(401);
      for (const wrong of [
        '',
        'wrong',
        TOKEN.slice(0, -1),
        `${TOKEN}x`,
        `x${TOKEN}`,
        TOKEN.toLowerCase(),
        '*',
        `${TOKEN},`,
      ]) {
        expect(await statusOf('GET', '/v1/chats', { 'x-service-token': wrong }), wrong).toBe(401);
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
        expect(await statusOf(method, '/v1/chats'), method).toBe(401);
        expect(await statusOf(method, '/v1/chats', token), method).not.toBe(401);
      }
      expect(await statusOf('GET', '/v1/chats', token)).toBe(200);
      expect(await statusOf('GET', '/metrics', token)).toBe(200);
    });

    test('[FACE-1] [AUTH-2] accepts the token as a Bearer below /openai, and only there', async () => {
      const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
      const listed = (headers: Record<string, string>, path = '/openai/v1/models') =>
        statusOf('GET', path, headers);
      expect(await listed(bearer(TOKEN))).toBe(200);
      expect(await listed({ authorization: `bearer ${TOKEN}` })).toBe(200);
      expect(await listed(token)).toBe(200);
      // Clients that require a key send one in addition to the token.
      expect(await listed({ ...token, ...bearer('sk-x') })).toBe(200);
      for (const wrong of ['', 'wrong', `${TOKEN}x`, `x${TOKEN}`, TOKEN.toLowerCase(), '*', `${TOKEN} x`]) {
        expect(await listed(bearer(wrong)), wrong).toBe(401);
      }
      for (const scheme of ['Basic', 'Token', 'xBearer', '']) {
        expect(await listed({ authorization: `${scheme} ${TOKEN}` }), scheme).toBe(401);
      }
      for (const path of ['/v1/chats', '/openai', '/openaix/v1/models', '/x/openai/v1/models']) {
        expect(await listed(bearer(TOKEN), path), path).toBe(401);
      }
      const openai = openaiOf(proxy, 0, TOKEN);
      const said = openai.chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content: 'Hi.' }],
      });
      expect((await said).choices[0]?.message.content).toBe('ok');
      const refused = await openaiOf(proxy, 0, 'wrong')
        .models.list()
        .catch(error => error);
      expect(refused).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    });

    test('[MCP-3] [AUTH-2] accepts the token as a Bearer at /mcp', async () => {
      const bearer = (given: string) => ({ authorization: `Bearer ${given}` });
      // With access, the client gets the kernel's own error for the request.
      for (const path of ['/mcp', '/mcp/', '/mcp?x=1']) {
        for (const headers of [bearer(TOKEN), { authorization: `bearer ${TOKEN}` }, token]) {
          expect(await statusOf('POST', path, headers), path).toBe(400);
        }
        for (const wrong of ['', 'wrong', `${TOKEN}x`, `x${TOKEN}`, TOKEN.toLowerCase(), '*']) {
          expect(await statusOf('POST', path, bearer(wrong)), wrong).toBe(401);
        }
        for (const scheme of ['Basic', 'xBearer', '']) {
          expect(await statusOf('POST', path, { authorization: `${scheme} ${TOKEN}` }), scheme).toBe(401);
        }
      }
      for (const path of ['/mcpx', '/x/mcp', '/mcp/x', '/mcp/../v1/chats']) {
        expect(await statusOf('GET', path, bearer(TOKEN)), path).toBe(401);
      }
      const refused = await exchange(`${proxy.url}/mcp`, { method: 'POST' });
      expect(refused.headers).toMatchObject({
        'content-type': 'application/json',
        'www-authenticate': 'Bearer',
      });
      expect(JSON.parse(`${await bytesOf(refused)}`)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'The token is missing or wrong: it comes as Authorization: Bearer.' },
      });
    });

    test.each(
      ERAS,
    )('[MCP-3] %s: a client of the SDK with a Bearer sends a call, and receives progress', async era => {
      const mcp = await mcpClientOf(proxy, era, { authorization: `Bearer ${TOKEN}` });
      const [told, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      kernel.upstream.next({ steps: [{ text: 'Well, ' }, { wait: go.promise }, { text: 'yes.' }] });
      const onprogress = ({ message = '' }) => void (message === 'Answers: Well, ' && told.resolve());
      const asked = mcp.callTool({ name: 'ask', arguments: { text: 'Is it?' } }, { onprogress });
      await told.promise;
      go.resolve();
      expect((await asked).structuredContent).toMatchObject({ answer: 'Well, yes.' });
    });

    test('[AUTH-2] returns the reason for a refusal, and forwards nothing to the kernel', async () => {
      const answer = await exchange(`${proxy.url}/v1/chats`, { method: 'GET' });
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.headers['x-request-id']).toBeUndefined();
      expect(JSON.parse(`${await bytesOf(answer)}`)).toMatchObject({ status: 401, title: 'Unauthorized' });
    });

    test('[AUTH-2] opens the reference, files and images for reads only', async () => {
      const uploaded = await api.raw('/v1/files', { method: 'POST', headers: token, body: 'Hello.' });
      const open = ['/v1/openapi.json', '/apidocs', '/apidocs/js/scalar.js', '/apidocs/errors', '/healthz'];
      for (const path of [...open, `/files/${uploaded.body.id}`]) {
        expect(await statusOf('GET', path), path).toBe(200);
        expect(await statusOf('POST', path), path).toBe(401);
      }
      const nobody = '00000000-0000-4000-8000-000000000000';
      expect(await statusOf('GET', `/images/${nobody}`)).toBe(404);
      expect(await statusOf('GET', `/images/${nobody}?size=1`)).toBe(404);
    });

    test('[AUTH-2] lets a browser return from the sign-in to an MCP server to the kernel without a token', async () => {
      expect(await statusOf('GET', '/v1/guests/callback?state=x&code=y')).toBe(400);
      expect(await statusOf('POST', '/v1/guests/callback')).toBe(401);
      for (const path of ['/v1/guests', '/v1/guests/callback/', '/v1/guests/callbacks']) {
        expect(await statusOf('GET', path), path).toBe(401);
      }
    });

    test('[AUTH-3] [AUTH-4] forwards the host name and origin of the request to the kernel', async () => {
      expect(await statusOf('GET', '/v1/chats', { ...token, host: 'chat.example.org' })).toBe(200);
      expect(await statusOf('GET', '/v1/chats', { ...token, host: 'evil.example' })).toBe(403);
      expect(await statusOf('GET', '/v1/chats', { ...token, origin: 'https://evil.example' })).toBe(403);
      const asks = { 'access-control-request-method': 'GET', origin: 'https://app.example.org' };
      expect(await statusOf('OPTIONS', '/v1/chats', asks)).toBe(204);
    });

    test('[AUTH-3] forwards events one by one', async () => {
      await expectOneByOne(kernel, kind.name, chatId => api.turn(chatId, { text: 'Hi.' }, token));
    });

    test(
      '[AUTH-3] forwards an upload of files.max_bytes, and the kernel rejects one byte more',
      PATIENT,
      async () => {
        const upload = (size: number) =>
          api.raw('/v1/files', { method: 'POST', headers: token, body: Buffer.alloc(size, 'x') });
        const { status, body } = await upload(MAX_BYTES);
        expect({ status, size: body.size }).toEqual({ status: 201, size: MAX_BYTES });
        const whole = await api.raw(`/files/${body.id}`, { method: 'GET' });
        expect(whole.body.length).toBe(MAX_BYTES);
        expect(await upload(MAX_BYTES + 1)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
      },
    );

    test('[AUTH-3] [EV-12] continues /live over a reload of the proxy without lost or repeated events', async () => {
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      kernel.upstream.next({
        steps: [
          { text: 'Before. ' },
          { wait: first.promise },
          { text: 'After. ' },
          { wait: second.promise },
          { text: 'End.' },
        ],
      });
      const chat = await kernel.api.newChat();
      await kernel.api.turn(chat.id, { text: 'Hi.' });
      const before = await api.live(chat.id, '', token);
      await before.until('text_delta');
      proxy.reload();
      await sleep(200);
      const lastId = before.lastId as string;
      first.resolve();
      const after = await api.live(chat.id, '', { ...token, 'last-event-id': lastId });
      await after.until(event => event.type === 'text_delta' && event.text.includes('After'));
      second.resolve();
      expect(textOf(await after.all(), 'text_delta')).toBe('After. End.');
    });
  });
}

test.skipIf(missing('caddy'))('[AUTH-3] Caddy does not start without a token', () => {
  const { status, said } = caddyWithoutToken();
  expect(status).not.toBe(0);
  expect(said).toContain('header');
});

/** A URL would remove the dots from a path before sending it. */
function asWritten(
  url: string,
  path: string,
  options: { method: string; headers: Record<string, string> },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, path, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}
