/** Tests that the trace of a request passes through the hop between kernels (FLEET-1, W3C Trace Context). */
import { afterAll, expect, test } from 'vitest';
import { startCollector } from '../harness/collector.ts';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { says } from '../harness/story.ts';

afterAll(stopPostgres);

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACE = { traceparent: `00-${TRACE_ID}-${CALLER}-01`, tracestate: 'vendor=opaque' };

test('[FLEET-1] [API-2] includes a turn at its owner in the trace of the caller of another kernel', async () => {
  const collector = await startCollector();
  const fleet = await openFleet();
  const telemetry = { telemetry: { otlp_url: collector.url } };
  const [a, b] = [await fleet.start('a', telemetry), await fleet.start('b', telemetry)];
  const chat = await b.api.newChat();
  fleet.upstream.next(says('hello'));
  const stream = await a.api.turn(chat.id, { text: 'hi' }, TRACE);
  await stream.closed();
  expect(stream.headers['x-kernel']).toBe(b.id);

  const [hop, turn] = [await collector.span('forward POST'), await collector.span('invoke_agent')];
  const at = ({ id }: { id: string }) => ({ 'service.instance.id': id });
  expect(hop).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER, kind: 3, resource: at(a) });
  expect(hop.facts).toEqual({
    'http.request.method': 'POST',
    'chat_kernel.owner.id': b.id,
    'http.response.status_code': 200,
  });
  expect(turn).toMatchObject({ traceId: TRACE_ID, parentSpanId: hop.spanId, resource: at(b) });
  expect([hop.traceState, turn.traceState]).toEqual(['vendor=opaque', 'vendor=opaque']);
  expect(turn.facts).toMatchObject({ 'gen_ai.conversation.id': chat.id });
  // The model request is in the same trace.
  expect(`${fleet.upstream.requests.at(-1)?.headers.traceparent}`.slice(0, 36)).toBe(`00-${TRACE_ID}-`);
});
