/**
 * Records store calls as spans if they are made for a turn, and requests that are forwarded to another kernel, in the
 * trace of the caller. Spans contain neither statements nor values.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseTraceHeaders } from '@chat-kernel/http';
import { aroundCalls, replaceMethods } from '../metrics/replace-methods.ts';
import { describeCause, type Span, type Spans } from './spans.ts';

/** Calls that all turns share and none waits for: copies of running steps, and messages between kernels. */
const SHARED = { operation: 'turns.checkpoint', part: 'fleet' };

/** @param database its name in OpenTelemetry */
export const tracedStore = <Parts extends object>(parts: Parts, spans: Spans, database: string): Parts =>
  aroundCalls(
    parts,
    (operation, call) => {
      if (operation === SHARED.operation) return call();
      const facts = { 'db.system.name': database, 'db.operation.name': operation };
      const span = spans.requestBelow(operation, facts);
      const result = call();
      return span && result instanceof Promise ? until(result, span) : result;
    },
    [SHARED.part],
  );

async function until<Result>(result: Promise<Result>, span: Span): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    span.fail(describeCause(error));
    throw error;
  } finally {
    span.end();
  }
}

export interface Forwarder {
  forward(
    to: { id: string },
    request: { method: string; headers: IncomingHttpHeaders },
    signal: AbortSignal,
  ): Promise<IncomingMessage>;
}

export function tracedHops<Sender extends Forwarder>(hops: Sender, spans: Spans): Sender {
  const forward: Forwarder['forward'] = (to, request, signal) => {
    const start = {
      name: `forward ${request.method}`,
      kind: 'client',
      parent: parseTraceHeaders(request.headers),
      facts: { 'http.request.method': request.method, 'chat_kernel.owner.id': to.id },
    } as const;
    return spans.span(start, async span => {
      const answer = await hops.forward(to, request, signal);
      span.note({ 'http.response.status_code': answer.statusCode });
      return answer;
    });
  };
  return replaceMethods(hops, { forward } as Partial<Sender>);
}
