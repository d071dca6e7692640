/** Tests that the kernel shows its settings, and that their secrets never leave it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startPostgres } from '../../packages/storage/test/postgres.ts';
import { startKernelProcess } from '../harness/process.ts';
import { secretOf } from '../harness/secrets.ts';
import { kernelOf } from '../harness/shared-kernel.ts';

test('[API-7] returns the effective settings completely, with defaults for those missing in the file', async () => {
  const { api } = await kernelOf({ settings: { files: { max_bytes: 4321 }, llm: { reasoning: 'high' } } });
  const { status, body } = await api.get('/v1/config');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    server: { host: '127.0.0.1', port: 0, public_url: null },
    database: { url: null },
    files: { max_bytes: 4321 },
    llm: { reasoning: 'high', max_steps: 100, providers: { scripted: { api_key: '***' } } },
    modules: { socket_dir: join(body.data_dir, 'modules'), servers: {} },
    mcp: { servers: {} },
  });
});

// The harness searches every response, stream, log, prompt and stored file of the whole test run for secrets. This test
// adds the places and failures that no other test covers.
test('[API-7] keeps configured secrets out of all responses and log lines, also in errors', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const database = await postgres.createDatabase();
  const parrot = await startParrot();
  const kernel = await startKernelProcess({
    database,
    settings: {
      log: { level: 'debug' },
      modules: {
        servers: {
          post: {
            command: 'sh',
            args: ['-c', 'echo "$POST_TOKEN $*" >&2; exit 7', '--', '--token', secretOf('argument')],
            env: { POST_TOKEN: secretOf('module') },
          },
        },
      },
      mcp: {
        servers: {
          desk: {
            command: 'sh',
            args: ['-c', 'echo "$DESK_KEY $*" >&2; exit 7', `--api-key=${secretOf('guest argument')}`],
            env: { DESK_KEY: secretOf('guest') },
          },
          web: {
            url: `${parrot}/mcp?api_key=${secretOf('query')}`,
            headers: { authorization: `Bearer ${secretOf('header')}` },
          },
        },
      },
      llm: {
        providers: {
          gone: {
            kind: 'openai-compatible',
            base_url: `http://127.0.0.1:9/v1?token=${secretOf('base url')}`,
            api_key: secretOf('key'),
            headers: { 'x-team': secretOf('team') },
          },
          parrot: {
            kind: 'openai-compatible',
            base_url: `${parrot}/v1?token=${secretOf('base url')}`,
            api_key: secretOf('key'),
            headers: { 'x-team': `Basic ${secretOf('team')}` },
          },
        },
        default_model: 'gone/model',
        models: [{ id: 'gone/model', context_window: 100_000 }, { id: 'parrot/model' }],
      },
    },
  });
  onTestFinished(async () => void (await kernel.kill()));
  const { api } = kernel;

  for (const model of ['gone/model', 'parrot/model']) {
    const chat = await api.newChat({ model });
    const events = await api.say(chat.id, 'Hi.');
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
    const { body } = await api.post('/v1/complete', { prompt: 'Hi.', model });
    expect(body.detail).toMatch(model === 'gone/model' ? /could not be reached/ : /You said .*\*\*\*/);
    await api.post(`/v1/chats/${chat.id}/messages`, { text: 7 });
    await api.get(`/v1/chats/${chat.id}/items`);
  }
  for (const path of ['/v1/stats', '/v1/modules', '/v1/models', '/v1/tools', '/v1/requests'])
    await api.get(path);
  await api.raw('/metrics', { method: 'GET' });

  const { body: config } = await api.get('/v1/config');
  expect(config).toMatchObject({
    database: { url: '***' },
    llm: {
      providers: {
        gone: { api_key: '***', base_url: 'http://127.0.0.1:9/v1?token=***', headers: { 'x-team': '***' } },
      },
    },
    modules: {
      servers: {
        post: { args: ['-c', expect.any(String), '--', '--token', '***'], env: { POST_TOKEN: '***' } },
      },
    },
    mcp: {
      servers: {
        desk: { args: ['-c', expect.any(String), '--api-key=***'], env: { DESK_KEY: '***' } },
        web: { url: `${parrot}/mcp?api_key=***`, headers: { authorization: '***' } },
      },
    },
  });
  // All three have tried, and the log says why they failed.
  const log = () => kernel.log();
  await vi.waitFor(() => expect([/post/, /desk/, /web/].filter(name => !name.test(log()))).toEqual([]), {
    timeout: 5000,
  });
  expect(log()).toContain('***');
});

/** Starts a server that rejects every request and repeats it. */
async function startParrot(): Promise<string> {
  const server = createServer((request, response) => {
    const message = `You said ${request.url} ${JSON.stringify(request.headers)}`;
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message }, jsonrpc: '2.0', id: null }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
