/** What the kernel says about its settings, and that none of their secrets ever leaves it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { startPostgres } from '../../packages/storage/test/postgres.ts';
import { kernelOf } from '../harness/modules.ts';
import { startKernelProcess } from '../harness/process.ts';

test('[API-7] the settings that count are told whole, those of the file beside the defaults', async () => {
  const { api } = await kernelOf({ settings: { files: { max_bytes: 4321 }, llm: { reasoning: 'high' } } });
  const { status, body } = await api.get('/v1/config');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    server: { host: '127.0.0.1', port: 0, public_url: null },
    database: { url: null },
    files: { max_bytes: 4321 },
    llm: { reasoning: 'high', max_steps: 100, providers: { scripted: { api_key: '***' } } },
    modules: { socket_dir: null, servers: {} },
    mcp: { servers: {} },
  });
});

test('[API-7] no configured secret stands in any answer or line of the log, whatever goes wrong', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const database = await postgres.createDatabase();
  const kernel = await startKernelProcess({
    database,
    settings: {
      log: { level: 'debug' },
      modules: { servers: { post: { command: 'false', env: { POST_TOKEN: 'MODULE-hush' } } } },
      mcp: {
        servers: {
          desk: { command: 'false', env: { DESK_KEY: 'GUEST-hush' } },
          web: {
            url: 'http://me:LOGIN-hush@127.0.0.1:9/mcp?api_key=QUERY-hush',
            headers: { authorization: 'Bearer HEADER-hush' },
          },
        },
      },
      llm: {
        providers: {
          gone: {
            kind: 'openai-compatible',
            base_url: 'http://127.0.0.1:9/v1?token=BASE-hush',
            api_key: 'KEY-hush',
            headers: { 'x-team': 'EXTRA-hush' },
          },
        },
        default_model: 'gone/model',
        models: [{ id: 'gone/model', context_window: 100_000 }],
      },
    },
  });
  onTestFinished(async () => void (await kernel.kill()));
  const { api } = kernel;
  const answers: unknown[] = [];
  const read = async (path: string) => answers.push((await api.get(path)).body);

  const chat = await api.newChat();
  // Nobody listens where this model is.
  const events = await api.say(chat.id, 'Hi.');
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed' });
  answers.push(events);
  answers.push((await api.post('/v1/complete', { prompt: 'Hi.' })).body);
  answers.push((await api.post(`/v1/chats/${chat.id}/messages`, { text: 7 })).body);
  const { body: config } = await api.get('/v1/config');
  answers.push(config);
  for (const path of ['/v1/stats', '/v1/modules', '/v1/models', '/v1/tools', '/v1/requests'])
    await read(path);
  await read(`/v1/chats/${chat.id}/items`);
  answers.push(`${(await api.raw('/metrics', { method: 'GET' })).body}`);

  expect(config).toMatchObject({
    database: { url: '***' },
    llm: { providers: { gone: { api_key: '***', headers: { 'x-team': '***' } } } },
    modules: { servers: { post: { command: 'false', env: { POST_TOKEN: '***' } } } },
    mcp: {
      servers: {
        desk: { env: { DESK_KEY: '***' } },
        web: { url: 'http://***@127.0.0.1:9/mcp?api_key=***', headers: { authorization: '***' } },
      },
    },
  });
  // Both have tried, and said that it did not work.
  await vi.waitFor(() => expect(kernel.log()).toMatch(/web/), { timeout: 5000 });
  const said = JSON.stringify(answers) + kernel.log();
  const password = decodeURIComponent(new URL(database).password);
  for (const secret of [/.{0,60}\w+-hush/, password, encodeURIComponent(password)]) {
    expect(said.match(secret)?.[0]).toBeUndefined();
  }
});
