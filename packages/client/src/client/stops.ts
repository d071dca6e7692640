/** Turns that a user has stopped: the kernel is told, also over a line that breaks. */

import { isPassing, KernelApiError } from '../http/errors.ts';
import { Patience } from '../streams/patience.ts';
import type { KernelClient } from './client.ts';

interface StoppedTurn {
  turn_id: string;
  /** Of the user; absent where another client has sent it. */
  message_id?: string;
}

/** The kernel is asked for this long. */
const PATIENCE_MS = 60_000;

export class Stops {
  readonly #client: KernelClient;
  /** Chat → what is on its way. */
  readonly #going = new Map<string, Promise<void>>();

  constructor(client: KernelClient) {
    this.#client = client;
  }

  /** Cancels a turn once it is known. */
  stop(chatId: string, stopped: Promise<StoppedTurn | undefined>): void {
    const going = stopped
      .then(turn => turn && this.#cancel(chatId, turn))
      // A message that was refused has no turn, and one that ends anyway needs no stop.
      .catch(() => {})
      .finally(() => {
        if (this.#going.get(chatId) === going) this.#going.delete(chatId);
      });
    this.#going.set(chatId, going);
  }

  /** Resolves when nothing is on its way: the next turn must not be cancelled in place of the last. */
  async settled(chatId: string): Promise<void> {
    await this.#going.get(chatId);
  }

  async #cancel(chatId: string, { turn_id, message_id }: StoppedTurn): Promise<void> {
    const patience = new Patience({ total: PATIENCE_MS, first: 500, longest: 10_000 });
    for (;;) {
      try {
        const { status } = await this.#client.getTurn(chatId, turn_id);
        // A cancel would end the turn before it.
        if (status === 'queued' && message_id !== undefined) await this.#client.rewind(chatId, message_id);
        else if (['queued', 'running', 'sleeping'].includes(status)) await this.#client.cancelTurn(chatId);
        return;
      } catch (error) {
        const hasBegun = error instanceof KernelApiError && error.code === 'turn_running';
        if (!hasBegun && !isPassing(error)) throw error;
        await patience.wait(error);
      }
    }
  }
}
