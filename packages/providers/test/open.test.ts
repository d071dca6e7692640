/** Tests the list of models, and its default. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@chat-kernel/kernel';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startUpstream, type Upstream } from '../../../test/upstream/server.ts';
import { openModels } from '../src/index.ts';
import { keepingLog, llmSettings, request, textOf, trip } from './wires.ts';

const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' };
const open = (llm: object, env: Record<string, string | undefined> = {}, log = keepingLog()) =>
  openModels({ llm: llmSettings(llm), env: { ...NO_OLLAMA, ...env }, secrets: [], clock: systemClock, log });

let upstream: Upstream | undefined;
let server: Server | undefined;
afterEach(async () => {
  await upstream?.close();
  server?.closeAllConnections();
  server?.close();
  upstream = undefined;
  server = undefined;
});

/** Starts a server that responds to GETs by path; returns its address. */
async function answering(answers: Record<string, unknown>): Promise<string> {
  server = createServer((incoming, response) => {
    const body = answers[incoming.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('without configuration', () => {
  test('[API-1] uses the demo without a key', async () => {
    const models = await open({});
    expect(models.list()).toMatchObject({
      default_model: 'demo/demo',
      effort_default: 'low',
      context_windows: { 'demo/demo': expect.any(Number) },
    });
    expect(models.list().models).toHaveLength(1);
    expect(models.default()?.record.id).toBe('demo/demo');
    expect(models.found).toMatchObject({ demo: { kind: 'demo' } });
  });

  test('adds the models of keys in the environment, and removes the demo', async () => {
    const models = await open({}, { ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', GROQ_API_KEY: ' ' });
    const providers = new Set(models.list().models.map(model => model.provider));
    expect([...providers]).toEqual(['anthropic', 'google']);
    expect(models.list().default_model).toMatch(/^anthropic\/claude-/);
    expect(models.find('demo/demo')).toBeUndefined();
    expect(models.found).toMatchObject({
      anthropic: { kind: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' },
      google: { kind: 'google', api_key_env: 'GEMINI_API_KEY' },
    });
    expect(JSON.stringify(models.found)).not.toContain('"k"');
    for (const model of models.list().models) {
      expect(models.list().context_windows[model.id]).toBe(model.context_window);
      expect(model.price?.input).toBeGreaterThan(0);
    }
  });

  test('lists the main providers first if many keys are found, with the default of the first', async () => {
    const makers = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'XAI', 'MISTRAL', 'DEEPSEEK', 'GROQ'];
    const env = Object.fromEntries(makers.toReversed().map(maker => [`${maker}_API_KEY`, 'k']));
    const models = await open({}, env);
    expect([...new Set(models.list().models.map(model => model.provider))]).toEqual([
      'anthropic',
      'openai',
      'google',
      'xai',
      'mistral',
      'deepseek',
      'groq',
    ]);
    expect(models.list().default_model).toMatch(/^anthropic\//);
  });

  // The search lasts a third of a second, which may be too short on a busy machine, so it is repeated.
  test('adds the models of a local Ollama, except embedding models', {
    retry: 5,
  }, async () => {
    const url = await answering({
      '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text:latest' }] },
    });
    const models = await open({}, { OLLAMA_HOST: url });
    expect(models.list().models.map(model => model.id)).toEqual(['ollama/qwen3:8b']);
    expect(models.default()?.record.price).toBeNull();
  });

  test('does not wait for an Ollama that hangs', async () => {
    const late = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => timeout.mockRestore());
    // It gets the request, and then its time is over.
    server = createServer(() => late.abort());
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve));
    const models = await open({}, { OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    expect(models.default()?.record.id).toBe('demo/demo');
    const [longest] = timeout.mock.lastCall ?? [];
    expect(longest).toBeLessThan(1000);
  });
});

describe('with providers configured', () => {
  test('lists the models of an unknown server, with the facts it reports', async () => {
    const url = await answering({
      '/v1/models': {
        data: [
          { id: 'plain' },
          {
            id: 'described',
            context_length: 4096,
            pricing: { prompt: '0.000001', completion: '0.000002' },
            architecture: { input_modalities: ['text'] },
          },
        ],
      },
    });
    const models = await open({ providers: { near: { kind: 'openai-compatible', base_url: `${url}/v1` } } });
    expect(models.find('near/plain')?.record).toMatchObject({
      context_window: 128_000,
      price: null,
      inputs: ['text', 'image'],
    });
    expect(models.find('near/described')?.record).toMatchObject({
      context_window: 4096,
      price: { input: 1, output: 2 },
      inputs: ['text'],
    });
  });

  test.each([
    ['a bare array', [{ id: 'one' }, { id: 'two' }]],
    ['names', ['one', 'two']],
    [
      'rows that are odd',
      { data: [{ id: 'one' }, null, 5, { object: 'model' }, { id: 'two', context_length: 'x' }] },
    ],
    ['models in place of data', { models: [{ name: 'one' }, { model: 'two', name: 'Two' }] }],
  ])('reads a list of models with %s', async (_, list) => {
    const url = await answering({ '/v1/models': list });
    const models = await open({ providers: { near: { kind: 'openai-compatible', base_url: `${url}/v1` } } });
    expect(models.list().models.map(({ id }) => id)).toEqual(['near/one', 'near/two']);
  });

  test('warns of a provider that does not list its models, and accepts its default model', async () => {
    const log = keepingLog();
    const provider = { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1' };
    const models = await open({ providers: { near: provider }, default_model: 'near/llama' }, {}, log);
    expect(log.warnings.join()).toContain('near');
    expect(models.default()?.record.id).toBe('near/llama');
  });

  test('lets settings override the catalog field by field, and add models', async () => {
    const models = await open({
      providers: { a: { kind: 'anthropic', api_key: 'k' } },
      models: [
        { id: 'a/claude-opus-4-5', effort: 'mid', price: { input: 1, output: 2 } },
        { id: 'a/claude-new', context_window: 5000, efforts: ['off'] },
      ],
    });
    expect(models.find('a/claude-opus-4-5')?.record).toMatchObject({
      name: 'Claude Opus 4.5',
      effort: 'mid',
      context_window: 200_000,
      price: { input: 1, output: 2 },
    });
    expect(models.find('a/claude-new')?.record).toMatchObject({
      context_window: 5000,
      efforts: ['off'],
      price: null,
    });
    expect(models.find('a/claude-sonnet-4-5')).toBeDefined();
    expect(models.find('b/claude-sonnet-4-5')).toBeUndefined();
    expect(models.list().default_model).toBe('a/claude-opus-4-5');
  });

  test('uses the facts but not the price of a known model of the same name at another host', async () => {
    const models = await open({
      providers: { x: { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1' } },
      models: [{ id: 'x/gpt-4o' }],
    });
    expect(models.find('x/gpt-4o')?.record).toMatchObject({
      context_window: 128_000,
      efforts: ['off'],
      price: null,
    });
  });

  test('warns of a provider without its key, also for its default model', async () => {
    const log = keepingLog();
    const models = await open(
      {
        providers: {
          paid: { kind: 'openai', api_key_env: 'NOT_SET' },
          free: { kind: 'demo' },
        },
        default_model: 'paid/gpt-5.1',
      },
      {},
      log,
    );
    expect(log.warnings.join()).toMatch(/paid has no key.*NOT_SET is not set/);
    expect(models.list().default_model).toBe('free/demo');
    expect(models.find('paid/gpt-5.1')).toBeUndefined();
  });

  test('fails the start for an unknown default model, and lists the known models', async () => {
    await expect(open({ providers: { d: { kind: 'demo' } }, default_model: 'd/nothing' })).rejects.toThrow(
      'llm.default_model is d/nothing, which is not a known model. Known models: d/demo.',
    );
  });

  test('uses the usual variable of the kind if the settings name no key', async () => {
    upstream = await startUpstream();
    const models = await open(
      { providers: { a: { kind: 'anthropic', base_url: `${upstream.url}/v1` } } },
      { ANTHROPIC_API_KEY: 'from-env' },
    );
    await trip(models.default()!);
    expect(upstream.requests[0]?.headers['x-api-key']).toBe('from-env');
  });

  test('sends headers of the settings', async () => {
    upstream = await startUpstream();
    const models = await open({
      providers: { p: { kind: 'openai', base_url: `${upstream.url}/v1`, headers: { 'x-team': 'blue' } } },
      models: [{ id: 'p/gpt-5.1' }],
    });
    await trip(models.default()!);
    expect(upstream.requests[0]?.headers).toMatchObject({ 'x-team': 'blue' });
  });
});

describe('with settings and keys in the environment', () => {
  const providers = { own: { kind: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1' } };
  const settings = { providers, models: [{ id: 'own/small' }] };
  const env = { ANTHROPIC_API_KEY: 'k' };
  const providersOf = ({ list }: Awaited<ReturnType<typeof open>>) => [
    ...new Set(list().models.map(({ provider }) => provider)),
  ];

  test('uses both, the models of the settings first', async () => {
    const models = await open(settings, env);
    expect(providersOf(models)).toEqual(['own', 'anthropic']);
    expect(models.list().default_model).toBe('own/small');
    expect(Object.keys(models.found)).toEqual(['anthropic']);
    // Settings that name the demo are valid.
    const demo = await open({ providers: { d: { kind: 'demo' } } }, env);
    expect([providersOf(demo), demo.list().default_model]).toEqual([['d', 'anthropic'], 'd/demo']);
  });

  test('ignores the environment with discover: false', async () => {
    const models = await open({ ...settings, discover: false }, env);
    expect(providersOf(models)).toEqual(['own']);
    expect((await open({ discover: false }, env)).list().default_model).toBe('demo/demo');
  });

  test('adds a provider once if the settings already name it', async () => {
    for (const claude of [
      { kind: 'anthropic' },
      { kind: 'anthropic', api_key_env: 'ANTHROPIC_API_KEY' },
      { kind: 'anthropic', api_key: 'k' },
    ]) {
      expect(providersOf(await open({ providers: { claude } }, env))).toEqual(['claude']);
    }
    const other = { kind: 'anthropic', api_key: 'another' };
    expect(providersOf(await open({ providers: { work: other } }, env))).toEqual(['work', 'anthropic']);
    expect(providersOf(await open({ providers: { anthropic: other } }, env))).toEqual(['anthropic']);
    const url = await answering({
      '/api/tags': { models: [{ name: 'llama' }] },
      '/v1/models': { data: [{ id: 'llama' }] },
    });
    const near = { kind: 'openai-compatible', base_url: `${url}/v1/` };
    expect(providersOf(await open({ providers: { near } }, { OLLAMA_HOST: url }))).toEqual(['near']);
  });
});

describe('kind ai-sdk', () => {
  test('uses any provider package of the AI SDK', async () => {
    upstream = await startUpstream();
    const models = await open({
      providers: {
        any: {
          kind: 'ai-sdk',
          package: '@ai-sdk/openai-compatible',
          base_url: `${upstream.url}/v1`,
          api_key: 'k',
        },
      },
      models: [{ id: 'any/model' }],
    });
    const { events, error } = await trip(models.default()!);
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe('ok');
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer k');
  });

  test.each([
    ['a-package-that-nobody-has', /The package a-package-that-nobody-has is not installed/],
    ['zod', /zod is not a provider package of the AI SDK/],
  ])('reports what is wrong with %s', async (name, sentence) => {
    const models = await open({
      providers: { any: { kind: 'ai-sdk', package: name } },
      models: [{ id: 'any/model' }],
    });
    const { error } = await trip(models.default()!, request());
    expect(error).toMatchObject({
      code: 'upstream_error',
      retryable: false,
      message: expect.stringMatching(sentence),
    });
  });
});
