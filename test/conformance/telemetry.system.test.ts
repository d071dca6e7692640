/** Tests the spans of turns as a collector of OpenTelemetry receives them. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { program } from '../../packages/mcp-client/test/fixtures/desk.ts';
import { type CollectedSpan, type Collector, startCollector } from '../harness/collector.ts';
import type { KernelOptions } from '../harness/kernel.ts';
import { toolEntry } from '../harness/modules.ts';
import { startKernelProcess } from '../harness/process.ts';
import { refuseSecrets, secretOf } from '../harness/secrets.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, held, says } from '../harness/story.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACE = { traceparent: `00-${TRACE_ID}-${CALLER}-01`, tracestate: 'vendor=opaque' };
/** Limits a wait that may take a loaded machine a long time. */
const PATIENT = { timeout: 60_000, interval: 50 };

const tracedTo = ({ url }: Collector, { settings, ...options }: KernelOptions = {}): KernelOptions => ({
  ...options,
  settings: { ...settings, telemetry: { otlp_url: url } },
});
const below = (spans: readonly CollectedSpan[], parent: CollectedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);
const named = (spans: readonly CollectedSpan[], name: string) => spans.filter(span => span.name === name);

test("[API-2] records a turn as spans below the caller's span: model requests, calls and store", async () => {
  const collector = await startCollector();
  const guest = program('2025-11-25');
  const { api, upstream } = await kernelOf(
    tracedTo(collector, { settings: { mcp: { servers: { desk: guest.entry } } } }),
  );
  await expect.poll(() => toolEntry(api, 'mcp_desk_echo'), { timeout: 30_000 }).toBeDefined();
  const chat = await api.newChat();
  upstream.next(
    {
      steps: [
        { call: { id: 'p', name: 'plan', input: { tasks: [{ title: 'a', status: 'pending' }] } } },
        { call: { id: 'm', name: 'mcp_desk_echo', input: { word: 'hi' } } },
      ],
    },
    says('Done.'),
  );
  const stream = await api.turn(chat.id, { text: 'Go.' }, TRACE);
  await stream.all();
  const turn = await collector.span('invoke_agent');
  const spans = collector.spans();

  expect(turn).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER, kind: 1, failed: false, links: [] });
  expect(turn.traceState).toBe('vendor=opaque');
  expect(turn.resource).toMatchObject({ 'service.name': 'chat-kernel' });
  expect(Object.keys(turn.resource).sort()).toEqual([
    'service.instance.id',
    'service.name',
    'service.version',
  ]);
  const { usage } = (await api.get(`/v1/chats/${chat.id}/turns/${stream.turnId}`)).body;
  expect(turn.facts).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': chat.id,
    'gen_ai.request.model': 'scripted/plain',
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'chat_kernel.turn.id': stream.turnId,
    'chat_kernel.turn.status': 'completed',
  });

  const trips = named(spans, 'chat plain');
  expect(trips).toHaveLength(2);
  expect(below(spans, turn)).toEqual(expect.arrayContaining(trips));
  expect(trips[0]).toMatchObject({
    kind: 3,
    facts: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'plain',
      'gen_ai.conversation.id': chat.id,
      'gen_ai.response.finish_reasons': ['tools'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
    },
  });
  const tokens = (span: CollectedSpan) => span.facts['gen_ai.usage.input_tokens'] as number;
  expect(tokens(trips[0]!) + tokens(trips[1]!)).toBe(usage.prompt_tokens);
  expect(upstream.requests.map(({ headers }) => headers.traceparent)).toEqual(
    trips.map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`),
  );
  expect(upstream.requests[0]?.headers.tracestate).toBe('vendor=opaque');

  const [plan] = named(spans, 'execute_tool plan');
  const [echo] = named(spans, 'execute_tool mcp_desk_echo');
  expect(below(spans, turn)).toEqual(expect.arrayContaining([plan, echo]));
  expect(echo?.facts).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.conversation.id': chat.id,
    'gen_ai.tool.name': 'mcp_desk_echo',
    'gen_ai.tool.call.id': 'm',
    'chat_kernel.tool.source': 'mcp',
  });
  const [call] = guest.came().filter(({ method }) => method === 'tools/call');
  expect(call?.params?._meta?.traceparent).toBe(`00-${TRACE_ID}-${echo?.spanId}-01`);

  expect(below(spans, plan)).toMatchObject([
    {
      name: 'chats.update',
      kind: 3,
      facts: { 'db.system.name': 'sqlite', 'db.operation.name': 'chats.update' },
    },
  ]);
  const writes = named(below(spans, turn), 'turns.write');
  // The call, its result, and the end.
  expect(writes.length).toBeGreaterThanOrEqual(3);
  for (const span of spans) {
    expect(span.traceId).toBe(TRACE_ID);
    expect(span.startTimeUnixNano <= span.endTimeUnixNano).toBe(true);
  }
});

test('[API-2] [BT-10] records the work of a sub-agent below the call that started it', async () => {
  const collector = await startCollector();
  const { api, upstream } = await kernelOf(tracedTo(collector));
  const chat = await api.newChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'scout', task: 'Go.' }] }),
    says('Found.'),
    says('Done.'),
  );
  await api.say(chat.id, 'Go.');
  await expect.poll(() => named(collector.spans(), 'invoke_agent').length, PATIENT).toBe(2);
  const spans = collector.spans();
  const [turn, agent] = named(spans, 'invoke_agent');
  expect(turn?.parentSpanId).toBeUndefined();
  const [call] = named(spans, 'execute_tool agent');
  expect(call?.parentSpanId).toBe(turn?.spanId);
  expect(agent?.parentSpanId).toBe(call?.spanId);
  expect(named(below(spans, agent), 'chat plain')).toHaveLength(1);
  expect(named(below(spans, turn), 'chat plain')).toHaveLength(2);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
});

test('[TURN-12] gives a queued turn its own trace with a link to the request', async () => {
  const collector = await startCollector();
  const { api, upstream } = await kernelOf(tracedTo(collector));
  const chat = await api.newChat();
  const first = held({ text: 'first' });
  upstream.next(first.reply);
  const running = await api.turn(chat.id, { text: 'One.' });
  const waiting = await api.turn(chat.id, { text: 'Two.' }, TRACE);
  first.go();
  await Promise.all([running.all(), waiting.all()]);
  await expect.poll(() => named(collector.spans(), 'invoke_agent').length, PATIENT).toBe(2);
  const second = named(collector.spans(), 'invoke_agent').find(
    ({ facts }) => facts['chat_kernel.turn.id'] === waiting.turnId,
  );
  expect(second?.parentSpanId).toBeUndefined();
  expect(second?.traceId).not.toBe(TRACE_ID);
  expect(second?.links).toMatchObject([{ traceId: TRACE_ID, spanId: CALLER }]);
});

test("records no messages and no secrets in spans, and sends the collector's secret only to the collector", async () => {
  const collector = await startCollector();
  const { api, upstream } = await kernelOf({
    settings: {
      telemetry: { otlp_url: collector.url, headers: { authorization: `Bearer ${secretOf('telemetry')}` } },
    },
  });
  const chat = await api.newChat({ title: 'Zebra title', workdir: '/tmp' });
  upstream.next(
    {
      steps: [
        { thinking: 'Zebra thought' },
        { text: 'Zebra answer' },
        { call: { id: 'r', name: 'read_file', input: { path: 'zebra.txt' } } },
      ],
    },
    {
      steps: [
        { call: { id: 'a', name: 'agent', input: { agents: [{ name: 'zebra', task: 'Zebra task.' }] } } },
      ],
    },
    says('Zebra found.'),
    calls('z', 'zebra_tool', { zebra: 'zebra' }),
    { error: 'unauthorized' },
  );
  await api.say(chat.id, 'Zebra words.', { context: 'Zebra context' });
  await api.say(chat.id, 'Zebra words.', { sender: 'Zebra Person' });
  await collector.span('execute_tool agent');
  await expect.poll(() => named(collector.spans(), 'invoke_agent').length, PATIENT).toBe(3);
  for (const text of collector.texts) {
    refuseSecrets(text, 'a span');
    expect(text).not.toMatch(/zebra/i);
  }
  expect(collector.headers[0]?.authorization).toBe(`Bearer ${secretOf('telemetry')}`);
  expect((await api.get('/v1/config')).body.telemetry.headers.authorization).not.toContain('Bearer');
});

test('[SAFE-5] logs a failing or silent collector once, without delays for turns and a stop', async () => {
  const open: ServerResponse[] = [];
  const collector = await startCollector(response => {
    // Rejected at first, and later without a response.
    if (collector.texts.length <= 2) response.writeHead(400).end('{"message":"Zebra"}');
    else open.push(response);
  });
  const kernel = await startKernelProcess(tracedTo(collector));
  const chat = await kernel.api.newChat();
  for (let sent = 1; sent <= 3; sent++) {
    const events = await kernel.api.say(chat.id, 'Hi.');
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    await expect.poll(() => collector.texts.length, PATIENT).toBeGreaterThanOrEqual(sent);
  }
  await expect.poll(() => open.length, PATIENT).toBeGreaterThan(0);
  await kernel.api.say(chat.id, 'Hi.');
  expect(await kernel.stop()).toEqual({ code: 0, signal: null });
  const lines = kernel
    .log()
    .split('\n')
    .filter(line => line.includes('sending spans failed'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, problem: 400 });
  expect(kernel.log()).not.toContain('Zebra');
});

test('[API-2] exports the remaining spans when the kernel stops', async () => {
  const collector = await startCollector();
  const kernel = await startKernelProcess(tracedTo(collector));
  const chat = await kernel.api.newChat();
  await kernel.api.say(chat.id, 'Hi.');
  await kernel.stop();
  expect(named(collector.spans(), 'invoke_agent')).toHaveLength(1);
});
