/** Observes requests to other kernels: counts and times them, and adds them to the trace of the caller. */
import type { IncomingMessage } from 'node:http';
import { parseTraceHeaders } from '@chat-kernel/http';
import type { Tracing } from '@chat-kernel/kernel';
import type { Metrics } from '../metrics/metrics.ts';
import { type Asked, hop, NoAnswer, type Target } from './hop.ts';
import type { Signer } from './signature.ts';

/** Header of an answer that means that nothing was done: the chat has moved, or the signature was refused. */
export const MOVED_HEADER = 'x-kernel-moved';

export class Hops {
  readonly #from: Signer;
  readonly #metrics: Pick<Metrics, 'countHop'>;
  readonly #tracing: Tracing;

  constructor(from: Signer, metrics: Pick<Metrics, 'countHop'>, tracing: Tracing) {
    this.#from = from;
    this.#metrics = metrics;
    this.#tracing = tracing;
  }

  /** Sends a request of this kernel. Same parameters and errors as `hop`. */
  async ask(to: Target, request: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      const answer = await hop(this.#from, to, request, signal);
      this.#metrics.countHop(answer.headers[MOVED_HEADER] === undefined ? 'answered' : 'moved', seconds());
      return answer;
    } catch (error) {
      this.#metrics.countHop('no_answer', seconds());
      throw error;
    }
  }

  /**
   * Forwards a request of a client, in its trace.
   * @throws NoAnswer also if nothing was done
   */
  forward(to: Target, request: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const start = {
      name: `forward ${request.method}`,
      kind: 'client',
      parent: parseTraceHeaders(request.headers),
      facts: { 'http.request.method': request.method, 'chat_kernel.owner.id': to.id },
    } as const;
    return this.#tracing.span(start, async ({ context, note }) => {
      const headers = context ? { ...request.headers, ...context } : request.headers;
      const answer = await this.ask(to, { ...request, headers }, signal);
      if (answer.headers[MOVED_HEADER] !== undefined) {
        answer.destroy();
        throw new NoAnswer(false);
      }
      note({ 'http.response.status_code': answer.statusCode });
      return answer;
    });
  }
}
