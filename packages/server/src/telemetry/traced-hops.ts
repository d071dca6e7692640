/** Records requests that are forwarded to another kernel as spans, in the trace of the caller. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseTraceHeaders } from '@chat-kernel/http';
import { replaceMethods } from '../metrics/replace-methods.ts';
import type { Spans } from './spans.ts';

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
