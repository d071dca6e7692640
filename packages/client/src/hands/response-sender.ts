/** Sends responses to requests until they have arrived, or their request has ended. */
import type { OpsResult } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isRetryable, KernelApiError } from '../http/errors.ts';
import { abortable, RetryBackoff } from '../streams/retry-backoff.ts';

export class ResponseSender {
  readonly #client: KernelClient;
  readonly #patienceMs: number;
  readonly #closing: AbortSignal;
  readonly #name: string | undefined;

  /**
   * @param patienceMs how long a response is retried
   * @param closing aborted when no more responses are needed
   * @param name of this client, sent with decisions
   */
  constructor(client: KernelClient, patienceMs: number, closing: AbortSignal, name?: string) {
    this.#client = client;
    this.#patienceMs = patienceMs;
    this.#closing = closing;
    this.#name = name;
  }

  /**
   * Sends the response, again if the connection breaks. False: the request ended in another way before. An event that
   * the request is resolved does not stop the retries, because this very response may have caused it.
   */
  async send(chatId: string, answer: OpsResult): Promise<boolean> {
    const signal = this.#closing;
    const patience = new RetryBackoff({ total: this.#patienceMs, first: 500, longest: 10_000 });
    if (answer.decision !== undefined && this.#name !== undefined) answer = { ...answer, client: this.#name };
    for (let again = false; !signal.aborted; again = true) {
      try {
        await this.#client.answerRequest(chatId, answer, { signal });
        return true;
      } catch (error) {
        if (signal.aborted) break;
        // The first attempt arrived, and only its acknowledgment was lost.
        if (isOver(error)) return again && error.resolution?.reason === 'answered';
        if (isRetryable(error)) await abortable(patience.wait(error, signal), signal);
        else if (answer.result === undefined) throw error;
        // The result is too large, or not JSON: an error spares the model the wait for it.
        else
          answer = {
            ...withoutResult(answer),
            error: `The result could not be sent: ${errorMessage(error)}`,
          };
      }
    }
    return false;
  }
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const withoutResult = ({ result: _, ...answer }: OpsResult): OpsResult => answer;

/** True if the request ended in another way, or with its turn. */
const isOver = (error: unknown): error is KernelApiError =>
  error instanceof KernelApiError && ['already_resolved', 'unknown_request'].includes(error.code);
