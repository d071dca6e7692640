/** The trace of a request goes on to all that is asked for it, whether or not anybody wants spans (W3C Trace Context). */
import { expect, test } from 'vitest';
import { program } from '../../packages/extensions/test/mcp/fixtures/desk.ts';
import { kernelOf, toolEntry } from '../harness/modules.ts';
import { KINDS } from '../harness/settings.ts';
import { calls, says } from '../harness/story.ts';

const TRACE = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=opaque,other=1',
};
/** What a request brought of a trace. */
const traceIn = ({ traceparent, tracestate }: Record<string, unknown> = {}) => ({ traceparent, tracestate });
const NONE = { traceparent: undefined, tracestate: undefined };

test.each(
  KINDS,
)('[TURN-1] a provider of kind %s gets the trace of the request, and none without one', async kind => {
  const { api, upstream } = await kernelOf({ kind });
  const chat = await api.newChat();
  await (await api.turn(chat.id, { text: 'Hi.' }, TRACE)).all();
  await (await api.turn(chat.id, { text: 'Hi.' })).all();
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual([TRACE, NONE]);
});

test('[MCP-2] a guest gets the trace of the request where MCP has it, and nothing where there is none', async () => {
  const guest = program('2025-11-25');
  const { api, upstream } = await kernelOf({ settings: { mcp: { servers: { desk: guest.entry } } } });
  await expect.poll(() => toolEntry(api, 'mcp_desk_echo'), { timeout: 30_000 }).toBeDefined();
  const chat = await api.newChat();
  upstream.next(calls('a', 'mcp_desk_echo', { word: 'hi' }), says('Done.'));
  await (await api.turn(chat.id, { text: 'Go.' }, TRACE)).all();
  upstream.next(calls('b', 'mcp_desk_echo', { word: 'ho' }), says('Done.'));
  await (await api.turn(chat.id, { text: 'Go.' })).all();
  const [traced, plain] = guest.came().filter(({ method }) => method === 'tools/call');
  expect(traceIn(traced?.params?._meta)).toEqual(TRACE);
  expect(Object.keys(plain?.params?._meta ?? {})).toEqual(['progressToken']);
});

test('[BT-10] [API-5] sub-agents and single answers hand the trace on', async () => {
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

const [, TRACE_ID, PARENT_ID] = TRACE.traceparent.split('-');
test.each([
  ['an unknown version that is none', `ff-${TRACE_ID}-${PARENT_ID}-01`],
  ['an id of a trace that is all zeros', `00-${'0'.repeat(32)}-${PARENT_ID}-01`],
  ['an id of a span that is all zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
  ['capital letters', TRACE.traceparent.toUpperCase()],
  ['more behind the flags', `${TRACE.traceparent}-more`],
  ['half of it', `00-${TRACE_ID}`],
  ['two of them', `${TRACE.traceparent}, ${TRACE.traceparent}`],
  ['nothing', ''],
  ['a long text', 'a'.repeat(10_000)],
])('[TURN-1] a traceparent with %s is ignored, and the turn runs', async (_, traceparent) => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  const events = await (await api.turn(chat.id, { text: 'Hi.' }, { ...TRACE, traceparent })).all();
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(upstream.requests.map(({ headers }) => traceIn(headers))).toEqual([NONE]);
});

test.each([
  ['a later version', `01-${TRACE_ID}-${PARENT_ID}-01-more`, `00-${TRACE_ID}-${PARENT_ID}-01`],
  ['flags without a meaning', `00-${TRACE_ID}-${PARENT_ID}-ff`, `00-${TRACE_ID}-${PARENT_ID}-03`],
])('[TURN-1] of a traceparent with %s what is known goes on', async (_, given, wanted) => {
  const { api, upstream } = await kernelOf();
  const chat = await api.newChat();
  const tracestate = 'x'.repeat(513);
  await (await api.turn(chat.id, { text: 'Hi.' }, { traceparent: given, tracestate })).all();
  expect(traceIn(upstream.requests[0]?.headers)).toEqual({ traceparent: wanted, tracestate: undefined });
});
