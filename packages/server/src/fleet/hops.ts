/** Requests to other kernels as they are seen from outside: counted, timed, and part of the trace of whoever asked. */
import type { IncomingMessage } from 'node:http';
import type { Tracing } from '@chat-kernel/kernel';
import { traceOf } from '../http/trace-context.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type Asked, hop, NoAnswer, type Target } from './hop.ts';
import type { Signer } from './signature.ts';

/** Header of an answer that says that nothing was done: the chat has moved. */
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

  /** Asks for this kernel itself. Parameters and errors as of `hop`. */
  async ask(to: Target, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      const answer = await hop(this.#from, to, asked, signal);
      this.#metrics.countHop(answer.headers[MOVED_HEADER] === undefined ? 'answered' : 'moved', seconds());
      return answer;
    } catch (error) {
      this.#metrics.countHop('no_answer', seconds());
      throw error;
    }
  }

  /**
   * Hands on a request of somebody else, in its trace.
   * @throws NoAnswer also where the chat has moved
   */
  forward(to: Target, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const start = {
      name: `forward ${asked.method}`,
      kind: 'client',
      parent: traceOf(asked.headers),
      facts: { 'http.request.method': asked.method, 'chat_kernel.owner.id': to.id },
    } as const;
    return this.#tracing.span(start, async ({ context, note }) => {
      const headers = context ? { ...asked.headers, ...context } : asked.headers;
      const answer = await this.ask(to, { ...asked, headers }, signal);
      if (answer.headers[MOVED_HEADER] !== undefined) {
        answer.destroy();
        throw new NoAnswer(false);
      }
      note({ 'http.response.status_code': answer.statusCode });
      return answer;
    });
  }
}
