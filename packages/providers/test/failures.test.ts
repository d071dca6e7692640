/** Tests the failures of a provider request, each over a real connection. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelError } from '@chat-kernel/kernel';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScriptedReply } from '../../../test/upstream/server.ts';
import { testClock } from './clock.ts';
import { openWire, request, textOf, trip, WIRE_KINDS, type WireStand } from './wires.ts';

let stand: WireStand;

const failed = (error: unknown): ModelError => {
  if (!(error instanceof ModelError)) throw new Error('expected a ModelError', { cause: error });
  return error;
};
const OK: ScriptedReply = { steps: [{ text: 'fine' }] };

describe.each(WIRE_KINDS)('%s', kind => {
  test.each([
    302, 307, 308,
  ])('follows no redirect with the status %i, which would send the key elsewhere', async status => {
    let stolen = 0;
    const elsewhere = createServer((_, response) => {
      stolen += 1;
      response.end();
    });
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    stand = await openWire(kind, { clock: testClock() });
    stand.upstream.next({ status, headers: { location } });
    expect(failed((await trip(stand.model)).error)).toMatchObject({
      code: 'upstream_error',
      retryable: false,
      message: expect.stringMatching(
        / answered with a redirect, which is not followed: set base_url to the final address\.$/,
      ),
    });
    expect(stolen).toBe(0);
  });

  test('retries a 429 after the delay that the provider requests', async () => {
    const clock = testClock();
    stand = await openWire(kind, { clock });
    stand.upstream.next(
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 429, headers: { 'retry-after-ms': '250' } },
      OK,
    );
    const { events, error } = await trip(stand.model);
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe('fine');
    expect(clock.pauses.slice(0, 2)).toEqual([7000, 250]);
  });

  test('waits at least a second before it retries a 429 without a delay', async () => {
    const clock = testClock();
    stand = await openWire(kind, { clock });
    stand.upstream.next({ status: 429 }, { status: 429 }, { status: 429 }, OK);
    const { error } = await trip(stand.model);
    expect(error).toBeUndefined();
    const pauses = clock.pauses.slice(0, 3);
    expect(pauses).toHaveLength(3);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(1000);
  });

  test('fails immediately on a 429 with a delay of more than a minute', async () => {
    stand = await openWire(kind, { clock: testClock() });
    stand.upstream.next({ status: 429, headers: { 'retry-after': '3600' } });
    const error = failed((await trip(stand.model)).error);
    expect(error).toMatchObject({
      code: 'upstream_rate_limited',
      retryable: true,
      provider: { provider_status: 429, retry_after_secs: 3600 },
    });
    expect(stand.upstream.requests).toHaveLength(1);
  });

  test('retries a 500 three times, with increasing maximum pauses', async () => {
    const clock = testClock();
    stand = await openWire(kind, { clock });
    stand.upstream.next({ status: 500 }, { status: 503 }, { status: 529 }, { status: 500 }, OK);
    const error = failed((await trip(stand.model)).error);
    expect(error).toMatchObject({ code: 'upstream_error', retryable: true });
    expect(error.message).toContain('p answered 500');
    expect(stand.upstream.requests).toHaveLength(4);
    for (const [index, pause] of clock.pauses.entries()) expect(pause).toBeLessThanOrEqual(500 * 2 ** index);
    expect(clock.pauses).toHaveLength(3);
  });

  test('ends the pause before a retry on an abort', async () => {
    stand = await openWire(kind, { clock: testClock({ hurried: false }) });
    const stop = new AbortController();
    stand.upstream.next({ status: 429, headers: { 'retry-after': '30' } });
    const running = trip(stand.model, request(), stop.signal);
    await expect.poll(() => stand.upstream.requests.length).toBe(1);
    await new Promise(resolve => setTimeout(resolve, 30));
    stop.abort();
    failed((await running).error);
    expect(stand.upstream.requests).toHaveLength(1);
  });

  test('reports a wrong key as upstream_auth, without secrets in the message', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ error: 'unauthorized' });
    const error = failed((await trip(stand.model)).error);
    expect(error).toMatchObject({ code: 'upstream_auth', retryable: false });
    expect(error.message).toMatch(/^p answered 40[01]: /);
    stand.upstream.next({
      status: 401,
      error: { body: '{"error":{"message":"bad key sk-test-secret-key"}}' },
    });
    expect(failed((await trip(stand.model)).error).message).toBe('p answered 401: bad key ***');
  });

  test('reports a conversation that is too long as context_overflow', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ error: 'context_overflow' });
    expect(failed((await trip(stand.model)).error)).toMatchObject({
      code: 'context_overflow',
      retryable: false,
    });
  });

  test('keeps an HTML page of a gateway out of the message', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ status: 404, error: { body: '<html><body>nginx</body></html>' } });
    const error = failed((await trip(stand.model)).error);
    expect(error).toMatchObject({
      code: 'upstream_error',
      message: 'p answered 404: Not Found. Its base_url may not be the address of an API.',
      retryable: false,
    });
  });

  test('reports a wrong address for an HTML page instead of a stream', async () => {
    stand = await openWire(kind);
    stand.upstream.next({
      status: 200,
      headers: { 'content-type': 'text/html' },
      error: { body: '<!doctype html><title>Welcome</title>' },
    });
    expect(failed((await trip(stand.model)).error)).toMatchObject({
      code: 'upstream_error',
      message: 'p answered with a web page. Its base_url may not be the address of an API.',
      retryable: false,
    });
    expect(stand.upstream.requests).toHaveLength(1);
  });

  test('suggests the missing path of an address', async () => {
    stand = await openWire(kind, { path: '' });
    expect(failed((await trip(stand.model)).error).message).toMatch(
      /^p answered 404: No such call: POST [^ ]*\. Its base_url may lack \/v1(beta)? at its end\.$/,
    );
  });

  test('keeps headers that are not secrets readable in a message', async () => {
    stand = await openWire(kind, { provider: { headers: { 'x-title': 'Chat', 'x-own-key': 'own-key' } } });
    stand.upstream.next({ status: 400, error: { body: '{"error":{"message":"Chat and own-key"}}' } });
    expect(failed((await trip(stand.model)).error).message).toBe('p answered 400: Chat and ***');
  });

  test('truncates a long message of the provider', async () => {
    stand = await openWire(kind);
    stand.upstream.next({
      status: 400,
      error: { body: JSON.stringify({ error: { message: 'x'.repeat(9000) } }) },
    });
    expect(failed((await trip(stand.model)).error).message.length).toBeLessThan(450);
  });

  test('retries a connection that drops before the first delta', async () => {
    stand = await openWire(kind, { clock: testClock() });
    stand.upstream.next({ cut: 'before_headers' }, { steps: [{ text: 'x' }], cut: { after_bytes: 10 } }, OK);
    const { events, error } = await trip(stand.model);
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe('fine');
    expect(stand.upstream.requests).toHaveLength(3);
  });

  test('fails as retryable, without a retry, on a connection that drops after the first delta', async () => {
    stand = await openWire(kind, { clock: testClock() });
    stand.upstream.next(
      { steps: [{ text: ['seen', ' too'] }, { text: 'lost' }], cut: { after_steps: 1 } },
      OK,
    );
    const { events, error } = await trip(stand.model);
    expect(textOf(events)).toBe('seen too');
    expect(failed(error)).toMatchObject({ code: 'upstream_error', retryable: true });
    expect(stand.upstream.requests).toHaveLength(1);
  });

  test('[WIRE-9] reports an error inside the stream as ModelError, and retries it before the first delta', async () => {
    stand = await openWire(kind, { clock: testClock() });
    stand.upstream.next(
      { steps: [{ error: 'overloaded' }] },
      { steps: [{ text: 'seen' }, { error: 'overloaded' }] },
      OK,
    );
    const { events, error } = await trip(stand.model);
    expect(textOf(events)).toBe('seen');
    expect(failed(error)).toMatchObject({ code: 'upstream_error', retryable: true });
    expect(failed(error).message).toMatch(/overloaded/i);
    expect(stand.upstream.requests).toHaveLength(2);
  });

  test('ends with a ModelError or completely, for a cut anywhere in the stream', async () => {
    let bytes = 1;
    const steps: ScriptedReply['steps'] = [
      { thinking: 'hm' },
      { text: ['a', 'b'] },
      { call: { name: 'shell', input: { path: 'x' } } },
    ];
    const script = () => ({ steps, cut: { after_bytes: bytes } });
    stand = await openWire(kind, { clock: testClock(), script });
    for (; bytes < 3000; bytes += 173) {
      const { events, error } = await trip(stand.model, request({ effort: 'low' }));
      const finished = events.some(event => event.type === 'finish');
      if (!finished) expect(failed(error)).toMatchObject({ code: 'upstream_error', retryable: true });
    }
  });

  test('closes the connection immediately on an abort, without more text', async () => {
    stand = await openWire(kind);
    const never = new Promise(() => {});
    stand.upstream.next({ steps: [{ text: 'begun' }, { wait: never }] });
    const stop = new AbortController();
    const texts: string[] = [];
    const started = performance.now();
    await expect(async () => {
      for await (const event of stand.model.stream(request(), stop.signal)) {
        if (event.type === 'text') texts.push(event.text);
        stop.abort();
      }
    }).rejects.toMatchObject({ name: 'ModelError' });
    expect(await stand.upstream.requests[0]?.ended).toBe('aborted');
    expect(texts).toEqual(['begun']);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('closes the connection when the reader leaves', async () => {
    stand = await openWire(kind);
    stand.upstream.next({ steps: [{ text: 'begun' }, { wait: new Promise(() => {}) }] });
    for await (const _ of stand.model.stream(request(), new AbortController().signal)) break;
    expect(await stand.upstream.requests[0]?.ended).toBe('aborted');
  });

  test('fails as retryable if the provider is silent for too long, before and after the first delta', async () => {
    for (const steps of [[], [{ text: 'begun' }]]) {
      const clock = testClock({ hurried: false });
      stand = await openWire(kind, { clock, provider: { timeout_secs: 20 } });
      stand.upstream.next({ steps: [...steps, { wait: new Promise(() => {}) }] });
      const running = trip(stand.model);
      await expect.poll(() => stand.upstream.requests.length).toBe(1);
      await new Promise(resolve => setTimeout(resolve, 50));
      clock.advance(20_001);
      const { error } = await running;
      expect(failed(error)).toMatchObject({ code: 'upstream_error', retryable: true });
      expect(failed(error).message).toBe('p was silent for 20 seconds.');
      expect(await stand.upstream.requests[0]?.ended).toBe('aborted');
      expect(stand.upstream.requests).toHaveLength(1);
      await stand.close();
    }
  });
});

test('does not retry a request of an account without credit', async () => {
  stand = await openWire('openai', { clock: testClock() });
  stand.upstream.next({ error: 'quota' });
  expect(failed((await trip(stand.model)).error)).toMatchObject({
    code: 'upstream_rate_limited',
    retryable: false,
  });
  expect(stand.upstream.requests).toHaveLength(1);
});

test('names an unreachable provider, with the reason of the socket', async () => {
  stand = await openWire('openai-compatible', { clock: testClock() });
  await stand.close();
  const error = failed((await trip(stand.model)).error);
  expect(error).toMatchObject({ code: 'upstream_error', retryable: true });
  expect(error.message).toMatch(/^p could not be reached.*ECONNREFUSED/);
});

test.each([
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size',
        type: 'exceed_context_size_error',
      },
    },
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      type: 'BadRequestError',
      code: 400,
    },
  ],
  ['Ollama', 500, { error: 'prompt too long; exceeded max context length by 12 tokens' }],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    },
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
  ],
])('recognizes the message of %s for a full context window', async (_server, status, body) => {
  stand = await openWire('openai-compatible', { clock: testClock() });
  stand.upstream.next({ status, error: { body: JSON.stringify(body) } });
  expect(failed((await trip(stand.model)).error)).toMatchObject({ code: 'context_overflow' });
});

test('shows no dump of a check by a package whose API the kernel does not know', async () => {
  stand = await openWire('anthropic', {
    clock: testClock(),
    provider: { kind: 'ai-sdk', package: '@ai-sdk/anthropic' },
  });
  const events = [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'heartbeat' },
  ];
  const body = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
  stand.upstream.next({ status: 200, headers: { 'content-type': 'text/event-stream' }, error: { body } });
  expect(failed((await trip(stand.model)).error).message).toBe(
    'p broke off its answer: The answer has a form that its package does not know.',
  );
});
