/** Sends responses to requests until they have arrived, or their request has ended. */
import type { OpsResult } from '../api/types.ts';
import type { KernelClient } from '../client/client.ts';
import { isRetryable, KernelApiError } from '../http/errors.ts';
import { abortable, RetryBackoff } from '../streams/retry-backoff.ts';

export type SendResponse = (chatId: string, answer: OpsResult) => Promise<boolean>;

/**
 * Returns a function that sends a response, again if the connection breaks. It resolves with false if the request ended
 * in another way before. An event that the request is resolved does not stop the retries, because this very response may
 * have caused it.
 * @param patienceMs how long a response is retried
 * @param signal aborted when no more responses are needed
 * @param name of this client, sent with decisions
 */
export function responseSender(
  client: KernelClient,
  patienceMs: number,
  signal: AbortSignal,
  name?: string,
): SendResponse {
  return async (chatId, answer) => {
    const patience = new RetryBackoff({ total: patienceMs, first: 500, longest: 10_000 });
    if (answer.decision !== undefined && name !== undefined) answer = { ...answer, client: name };
    for (let again = false; !signal.aborted; again = true) {
      try {
        await client.answerRequest(chatId, answer, { signal });
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
  };
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const withoutResult = ({ result: _, ...answer }: OpsResult): OpsResult => answer;

/** True if the request ended in another way, or with its turn. */
const isOver = (error: unknown): error is KernelApiError =>
  error instanceof KernelApiError && ['already_resolved', 'unknown_request'].includes(error.code);
