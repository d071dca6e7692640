/** Answers to requests: sent until they have arrived, or their request is over. */
import type { OpsResult } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isPassing, KernelApiError } from '../http/errors.ts';
import { Patience, untilOver } from '../streams/patience.ts';

export class Answers {
  readonly #client: KernelClient;
  readonly #patienceMs: number;
  readonly #closing: AbortSignal;

  /** @param patienceMs how long an answer is tried @param closing aborted when nothing is to be answered any more */
  constructor(client: KernelClient, patienceMs: number, closing: AbortSignal) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.#closing = closing;
  }

  /**
   * Sends the answer, again where the line breaks. False: the request ended in another way before. A stream that says
   * that the request is resolved does not stop it: that may be due to this very answer.
   */
  async send(chatId: string, answer: OpsResult): Promise<boolean> {
    const signal = this.#closing;
    const patience = new Patience({ total: this.#patienceMs, first: 500, longest: 10_000 });
    for (let again = false; !signal.aborted; again = true) {
      try {
        await this.#client.answerRequest(chatId, answer, { signal });
        return true;
      } catch (error) {
        if (signal.aborted) break;
        // A repeat finds that the first attempt arrived, and only its acknowledgment was lost.
        if (isOver(error)) return again && error.resolution?.reason === 'answered';
        if (isPassing(error)) await untilOver(patience.wait(error, signal), signal);
        else if (answer.result === undefined) throw error;
        // The result is too large, or no JSON: an error spares the model the wait for it.
        else
          answer = { ...withoutResult(answer), error: `The result could not be sent: ${messageOf(error)}` };
      }
    }
    return false;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const withoutResult = ({ result: _, ...answer }: OpsResult): OpsResult => answer;

/** The request ended in another way, or with its turn. */
const isOver = (error: unknown): error is KernelApiError =>
  error instanceof KernelApiError && ['already_resolved', 'unknown_request'].includes(error.code);
