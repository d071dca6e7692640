/**
 * Tests that the trace of a request is forwarded to all resulting requests, with and without telemetry (W3C Trace
 * Context).
 */
import { expect, onTestFinished, test } from 'vitest';
import { httpGuest } from '../../packages/mcp-client/test/fixtures/http-server.ts';
import { toolEntry } from '../harness/modules.ts';
import { KINDS } from '../harness/settings.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, held, says } from '../harness/story.ts';

const TRACE = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=opaque,other=1',
};
/** The trace headers of a request. */
const traceIn = ({ traceparent, tracestate }: Record<string, unknown> = {}) => ({ traceparent, tracestate });
const NONE = { traceparent: undefined, tracestate: undefined };

test.each(
  KINDS,
)('sends the trace of the request to a provider of kind %s, and none without one', async kind => {
  const { api, upstream } = await kernelOf({ kind });
  const chat = await api.newChat();
  await (await api.turn(chat.id, { text: 'Hi.' }, TRACE)).all();
  await (await api.turn(chat.id, { text: 'Hi.' })).all();
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual([TRACE, NONE]);
});

test('[MCP-2] sends the trace of the request to an MCP server in the field of MCP, and nothing without one', async () => {
  const guest = await httpGuest('2025-11-25');
  onTestFinished(guest.stop);
  const { api, upstream } = await kernelOf({ settings: { mcp: { servers: { desk: { url: guest.url } } } } });
  await expect.poll(() => toolEntry(api, 'mcp_desk_echo'), { timeout: 30_000 }).toBeDefined();
  const chat = await api.newChat();
  upstream.next(calls('a', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  await (await api.turn(chat.id, { text: 'Go.' }, TRACE)).all();
  upstream.next(calls('b', 'mcp_desk_echo', { word: 'ho' }), says('Done.'));
  await (await api.turn(chat.id, { text: 'Go.' })).all();
  const [traced, plain] = guest.server.came.filter(({ method }) => method === 'tools/call');
  expect(traceIn(traced?.params?._meta)).toEqual(TRACE);
  expect(Object.keys(plain?.params?._meta ?? {})).toEqual(['progressToken']);
});

test('sub-agents and single completions pass on the trace', async () => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'scout', task: 'Go.' }] }),
    says('Found.'),
    says('Done.'),
  );
  await (await api.turn(chat.id, { text: 'Go.' }, TRACE)).all();
  await api.post('/v1/complete', { prompt: 'Hi.' }, TRACE);
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual([TRACE, TRACE, TRACE, TRACE]);
});

test('[TURN-12] sends the trace of its own request for a queued turn, and none if that had none', async () => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  const first = held({ text: 'first' });
  upstream.next(first.reply);
  const other = { traceparent: TRACE.traceparent.replace('4bf9', '5bf9') };
  const sent = [TRACE, {}, other];
  const turns = [];
  for (const headers of sent) turns.push(await api.turn(chat.id, { text: 'Hi.' }, headers));
  first.go();
  for (const turn of turns) await turn.all();
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual(sent.map(traceIn));
});

const [, TRACE_ID, PARENT_ID] = TRACE.traceparent.split('-');
test.each([
  ['an invalid version', `ff-${TRACE_ID}-${PARENT_ID}-01`],
  ['an all-zero trace id', `00-${'0'.repeat(32)}-${PARENT_ID}-01`],
  ['an all-zero span id', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
  ['capital letters', TRACE.traceparent.toUpperCase()],
  ['more text after the flags', `${TRACE.traceparent}-more`],
  ['a missing half', `00-${TRACE_ID}`],
  ['two values', `${TRACE.traceparent}, ${TRACE.traceparent}`],
  ['an empty value', ''],
  ['a long text', 'a'.repeat(10_000)],
])('ignores a traceparent with %s, and runs the turn', async (_, traceparent) => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  const events = await (await api.turn(chat.id, { text: 'Hi.' }, { ...TRACE, traceparent })).all();
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual([NONE]);
});

test.each([
  ['a later version', `01-${TRACE_ID}-${PARENT_ID}-01-more`, `00-${TRACE_ID}-${PARENT_ID}-01`],
  ['unknown flags', `00-${TRACE_ID}-${PARENT_ID}-ff`, `00-${TRACE_ID}-${PARENT_ID}-03`],
])('passes on the known part of a traceparent with %s', async (_, given, wanted) => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  const tracestate = 'x'.repeat(513);
  await (await api.turn(chat.id, { text: 'Hi.' }, { traceparent: given, tracestate })).all();
  expect(traceIn(upstream.requests[0]?.headers)).toEqual({ traceparent: wanted, tracestate: undefined });
});
