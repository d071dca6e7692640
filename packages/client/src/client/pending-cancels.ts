/** Cancels turns that a user has stopped, and retries if the connection breaks. */
import { isRetryable, KernelApiError } from '../http/errors.ts';
import { RetryBackoff } from '../streams/retry-backoff.ts';
import type { KernelClient } from './client.ts';

interface StoppedTurn {
  turn_id: string;
  /** The user's message; absent if another client has sent it. */
  message_id?: string;
}

/** How long a cancel is retried. */
const MAX_RETRY_MS = 60_000;

export class PendingCancels {
  readonly #client: KernelClient;
  /** Chat → its cancel in progress. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(client: KernelClient) {
    this.#client = client;
  }

  /** Cancels a turn once its id is known. */
  stop(chatId: string, stopped: Promise<StoppedTurn | undefined>): void {
    const going = stopped
      .then(turn => turn && this.#cancel(chatId, turn))
      // A refused message has no turn, and a turn that ends anyway needs no cancel.
      .catch(() => {})
      .finally(() => {
        if (this.#going.get(chatId) === going) this.#going.delete(chatId);
      });
    this.#going.set(chatId, going);
  }

  /** Resolves when no cancel is in progress: otherwise it could hit the next turn instead of the last. */
  async settled(chatId: string): Promise<void> {
    await this.#going.get(chatId);
  }

  async #cancel(chatId: string, { turn_id, message_id }: StoppedTurn): Promise<void> {
    const patience = new RetryBackoff({ total: MAX_RETRY_MS, first: 500, longest: 10_000 });
    for (;;) {
      try {
        const { status } = await this.#client.getTurn(chatId, turn_id);
        // A cancel would end the turn that runs before it.
        if (status === 'queued' && message_id !== undefined) await this.#client.rewind(chatId, message_id);
        else if (['queued', 'running', 'sleeping'].includes(status)) await this.#client.cancelTurn(chatId);
        return;
      } catch (error) {
        const hasBegun = error instanceof KernelApiError && error.code === 'turn_running';
        if (!hasBegun && !isRetryable(error)) throw error;
        await patience.wait(error);
      }
    }
  }
}
