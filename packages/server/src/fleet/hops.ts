/** Sends requests to other kernels, counts and times them, and adds the current trace. */
import type { IncomingMessage } from 'node:http';
import { currentTrace } from '@chat-kernel/kernel';
import type { Metrics } from '../metrics/metrics.ts';
import { type Asked, hop, NoAnswer, type Target } from './hop.ts';
import type { Signer } from './signature.ts';

/** Header of an answer that means that nothing was done: the chat has moved, or the signature was refused. */
export const MOVED_HEADER = 'x-kernel-moved';

export class Hops {
  readonly #from: Signer;
  readonly #metrics: Pick<Metrics, 'countHop'>;

  constructor(from: Signer, metrics: Pick<Metrics, 'countHop'>) {
    this.#from = from;
    this.#metrics = metrics;
  }

  /** Sends a request of this kernel, in the current trace. Same parameters and errors as `hop`. */
  async ask(to: Target, request: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const headers = { ...request.headers, ...currentTrace() };
    try {
      const answer = await hop(this.#from, to, { ...request, headers }, signal);
      this.#metrics.countHop(answer.headers[MOVED_HEADER] === undefined ? 'answered' : 'moved', seconds());
      return answer;
    } catch (error) {
      this.#metrics.countHop('no_answer', seconds());
      throw error;
    }
  }

  /**
   * Forwards a request of a client.
   * @throws NoAnswer also if nothing was done
   */
  async forward(to: Target, request: Asked, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await this.ask(to, request, signal);
    if (answer.headers[MOVED_HEADER] === undefined) return answer;
    answer.destroy();
    throw new NoAnswer(false);
  }
}
