/** Tests that the data of a provider is limited over every API, and that the turn names the exceeded limit. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MovableClock } from '../harness/clock.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { flood, rawUpstream } from '../harness/raw-upstream.ts';
import { type Kind, MODEL_OF } from '../harness/settings.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';

const MIB = 1024 * 1024;
/** Before a retry of a request without a pause of the provider. */
const LONGEST_PAUSE_MS = 2000;
const WIRES: readonly Kind[] = ['openai-compatible', 'anthropic'];

/** A kernel whose provider sends this in response to every request. */
async function kernelOver(kind: Kind, answer: (response: ServerResponse) => Promise<void>) {
  const upstream = await rawUpstream(answer);
  const clock = new MovableClock();
  const kernel = await startKernel({ upstream, kind, clock });
  onTestFinished(async () => {
    await upstream.close();
    await kernel.stop();
  });
  return { ...kernel, clock };
}

/** The error of a turn, which leaves a readable chat. @param clock moves to the end of each pause before a retry */
async function errorOf({ client, clock }: Pick<TestKernel, 'client'> & { clock?: MovableClock }) {
  const chat = await client.createChat();
  const turn = await client.begin(chat.id, { text: 'Go.' }, event => {
    if (event.type === 'provider_wait') clock?.advance(LONGEST_PAUSE_MS);
  });
  const events = await turn.all();
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed', stop_reason: 'error' });
  expect((await client.items(chat.id)).at(-1)).toMatchObject({ kind: 'machine_note', note: 'turn_failed' });
  const [error] = eventsOf(events, 'error');
  return { code: error?.code, message: error?.message, retryable: error?.retryable };
}

const upstreamError = (message: string) => ({ code: 'upstream_error', message, retryable: false });

describe.each(WIRES)('[SAFE-3] %s', kind => {
  test('cuts off a line without an end at 8 MiB', async () => {
    let sent = 0;
    const kernel = await kernelOver(kind, async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "');
      sent = await flood(response, 'a'.repeat(64 * 1024), 300 * MIB);
    });
    expect(await errorOf(kernel)).toEqual(upstreamError('scripted sent a line of more than 8 MiB.'));
    // Includes data that was already in the buffers of the machine.
    expect(sent).toBeLessThan(64 * MIB);
  });

  test('cuts off lines that never become an event at 8 MiB', async () => {
    const kernel = await kernelOver(kind, async response => {
      await flood(response, `data: ${'a'.repeat(1000)}\r\n:\r\n`, 100 * MIB);
    });
    expect(await errorOf(kernel)).toEqual(upstreamError('scripted sent an event of more than 8 MiB.'));
  });

  test('ends a reply at 64 MiB', async () => {
    const kernel = await kernelOver(kind, async response => {
      await flood(response, `: ${'a'.repeat(100_000)}\n\n`, 100 * MIB);
    });
    expect(await errorOf(kernel)).toEqual(upstreamError('scripted sent a reply of more than 64 MiB.'));
  });

  test('does not parse JSON that is nested too deep', async () => {
    const kernel = await kernelOver(kind, async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: {"choices":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n\n`);
    });
    const message = 'scripted sent JSON nested more than 128 levels deep.';
    expect(await errorOf(kernel)).toEqual(upstreamError(message));
  });

  test('reads only the beginning of an error response', async () => {
    let sent = 0;
    const kernel = await kernelOver(kind, async response => {
      response.writeHead(400, { 'content-type': 'application/json' });
      sent = await flood(response, 'It is wrong. '.repeat(5000), 300 * MIB);
    });
    const { code, message } = await errorOf(kernel);
    expect(code).toBe('upstream_error');
    expect(message).toMatch(/^scripted answered 400/);
    expect(sent).toBeLessThan(64 * MIB);
  });

  test.each([
    'tool_calls',
    'choices',
  ])('fails only the turn of an answer of an unexpected shape (%s)', async field => {
    const strange = { choices: [{ delta: { content: 7, reasoning: {}, [field]: 5 } }], [field]: 5 };
    const kernel = await kernelOver(kind, async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ choices: [{ delta: strange.choices[0]?.delta }] })}\n\n`);
      response.write(`data: ${JSON.stringify(strange)}\n\n`);
    });
    expect((await errorOf(kernel)).code).toBe('upstream_error');
    expect((await kernel.api.get('/readyz')).status).toBe(200);
  });
});

describe.each(WIRES)('[SAFE-3] calls of %s', kind => {
  let kernel: TestKernel;
  beforeAll(async () => {
    // A call of a megabyte exceeds the window of the default model.
    const models = [{ id: `scripted/${MODEL_OF[kind]}`, context_window: 10_000_000 }];
    kernel = await startKernel({ kind, settings: { llm: { models } } });
  });
  afterAll(() => kernel.stop());

  const nested = (levels: number) => `{"tasks":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  test.each([
    [
      'arguments of more than 1 MiB',
      [{ raw: JSON.stringify({ tasks: 'a'.repeat(MIB) }), pieces: 20 }],
      'scripted sent a call whose arguments are more than 1 MiB.',
    ],
    [
      'arguments nested 65 levels deep',
      [{ raw: nested(65) }],
      'scripted sent a call whose arguments are nested more than 64 levels deep.',
    ],
    [
      'arguments nested 5600 levels deep',
      [{ raw: nested(5600) }],
      'scripted sent a call whose arguments are nested more than 64 levels deep.',
    ],
    [
      'more than 128 calls',
      Array.from({ length: 129 }, () => ({ raw: '{}', pieces: 1 })),
      'scripted sent more than 128 calls in one step.',
    ],
  ])('%s fail the turn', async (_, scripted, message) => {
    const steps = scripted.map((call, index) => ({ call: { id: `call_${index}`, name: 'plan', ...call } }));
    kernel.upstream.next({ steps });
    expect(await errorOf(kernel)).toEqual(upstreamError(message));
  });

  test('are accepted at the limit, and are sent back to the provider', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const raw = JSON.stringify({ tasks: 'a'.repeat(MIB - 20) });
    upstream.next(
      {
        steps: Array.from({ length: 128 }, (_, at) => ({ call: { id: `c${at}`, name: 'plan', raw: '{}' } })),
      },
      {
        steps: [
          { call: { id: 'deep', name: 'plan', raw: nested(64) } },
          { call: { id: 'long', name: 'plan', raw } },
        ],
      },
      says('Done.'),
    );
    const events = await client.say(chat.id, 'Go.');
    expect(textOf(events)).toBe('Done.');
    expect(eventsOf(events, 'tool_result')).toHaveLength(130);
    expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
  });

  test('are accepted in the turn after one that was too long', async () => {
    kernel.upstream.next(calls('fine', 'plan', { tasks: [] }), says('Well.'));
    const chat = await kernel.client.createChat();
    expect(textOf(await kernel.client.say(chat.id, 'Go.'))).toBe('Well.');
  });
});

test('[SAFE-3] rejects an endless list of models', async () => {
  const upstream = await rawUpstream(async response => {
    response.writeHead(200, { 'content-type': 'application/json' });
    await flood(response, ' '.repeat(64 * 1024), 300 * MIB);
  });
  const base_url = `${upstream.url}/v1`;
  const llm = {
    default_model: 'there/any',
    providers: { there: { kind: 'openai-compatible' as const, base_url } },
    models: [],
  };
  const kernel = await startKernel({ upstream, settings: { llm } });
  onTestFinished(async () => {
    await upstream.close();
    await kernel.stop();
  });
  expect((await kernel.client.listModels()).models.map(({ id }) => id)).toEqual(['there/any']);
});
