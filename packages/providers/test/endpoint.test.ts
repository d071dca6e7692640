/** Tests which addresses are requested, whatever form of its address the settings give for a provider. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { openModels } from '../src/index.ts';
import { llmSettings, silentLog, trip, WIRES, type WireKind } from './wires.ts';

/** Starts a server that refuses everything, and records what it was asked for. */
async function refusing(): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((incoming, response) => {
    paths.push(`${incoming.method} ${incoming.url}`);
    incoming.resume();
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

function open(provider: object, models: string[] = [], voice = {}) {
  return openModels({
    secrets: [],
    llm: llmSettings({
      providers: { p: { api_key: 'k', ...provider } },
      models: models.map(name => ({ id: `p/${name}` })),
    }),
    voice: Settings.parse({ voice }).voice,
    env: { OLLAMA_HOST: '127.0.0.1:1' },
    clock: systemClock,
    log: silentLog,
  });
}

const OPENAI_LIKE: [suffix: string, prefix: string, query: string][] = [
  ['/v1', '/v1', ''],
  ['/v1//', '/v1', ''],
  ['/v1 ', '/v1', ''],
  ['/v1#models', '/v1', ''],
  ['/v1?', '/v1', ''],
  ['/v1?api-version=2024-10-21', '/v1', '?api-version=2024-10-21'],
  ['/v1/?a=1&a=2&b=x%20y#top', '/v1', '?a=1&a=2&b=x%20y'],
  ['', '', ''],
  ['/?a=1', '', '?a=1'],
  ['/v1/chat/completions', '/v1', ''],
  ['/v1/chat/completions/?a=1', '/v1', '?a=1'],
  ['/v1/completions', '/v1', ''],
  ['/v1/responses', '/v1', ''],
  ['/v1/messages', '/v1', ''],
  ['/v1/models', '/v1', ''],
  ['/v1/audio/speech', '/v1', ''],
  ['/v1/audio/transcriptions', '/v1', ''],
  ['/openai/deployments/d/chat/completions?api-version=1', '/openai/deployments/d', '?api-version=1'],
  // The base of Azure's inference API.
  ['/models?api-version=1', '/models', '?api-version=1'],
  ['/my-responses', '/my-responses', ''],
];

const ROUTES: Record<WireKind, string> = {
  'openai-compatible': '/chat/completions',
  openai: '/responses',
  anthropic: '/messages',
  google: '',
};

const rows = (['openai-compatible', 'openai', 'anthropic'] as const).flatMap(kind =>
  OPENAI_LIKE.map(
    ([suffix, prefix, query]) => [kind, suffix, `POST ${prefix}${ROUTES[kind]}${query}`] as const,
  ),
);

const GEMINI = `/models/${WIRES.google.model}:streamGenerateContent?alt=sse`;

test.each<readonly [WireKind, string, string]>([
  ...rows,
  ['google', '/v1beta?key=secret', `POST /v1beta${GEMINI}&key=secret`],
  ['google', '/v1beta/models/gemini-pro:generateContent?alt=json', `POST /v1beta${GEMINI}`],
  ['google', '/v1beta/models/x:streamGenerateContent', `POST /v1beta${GEMINI}`],
  ['google', '/v1beta/models', `POST /v1beta${GEMINI}`],
])('kind %s with the address %j requests %j', async (kind, suffix, expected) => {
  const { url, paths } = await refusing();
  const { model } = WIRES[kind];
  const models = await open({ kind, base_url: url + suffix }, [model]);
  await trip(models.find(`p/${model}`)!);
  expect(paths[0]).toBe(expected);
});

test('lists models, transcribes and speaks with the query of the address', async () => {
  const { url, paths } = await refusing();
  const base_url = `${url}/v1/chat/completions?api-version=1`;
  const { voice } = await open({ kind: 'openai-compatible', base_url }, [], {
    transcription_model: 'p/hear',
    speech_model: 'p/speak',
    voice: 'a',
  });
  const { signal } = new AbortController();
  const audio = { bytes: new Uint8Array(8), media_type: 'audio/ogg' };
  await expect(voice.transcription[0]?.transcribe(audio, undefined, signal)).rejects.toThrow('400');
  await expect(voice.speech[0]?.speak({ text: 'Hi.', voice: 'a', format: 'mp3' }, signal)).rejects.toThrow(
    '400',
  );
  expect(paths).toEqual([
    'GET /v1/models?api-version=1',
    'POST /v1/audio/transcriptions?api-version=1',
    'POST /v1/audio/speech?api-version=1',
  ]);
});

test('sends the query of the address with a package of the AI SDK', async () => {
  const { url, paths } = await refusing();
  const provider = { kind: 'ai-sdk', package: '@ai-sdk/openai-compatible', base_url: `${url}/v1/?a=1` };
  const models = await open(provider, ['m']);
  await trip(models.find('p/m')!);
  expect(paths).toEqual(['POST /v1/chat/completions?a=1']);
});
