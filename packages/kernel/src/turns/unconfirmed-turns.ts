/**
 * Tracks turns whose insert has an unknown outcome because the connection broke before the response. Retries until the
 * store confirms the outcome, so that no turn stays open in the store without a queue (SAFE-5).
 */
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { Clock, TurnRecord } from '../ports/index.ts';

/** The delay between two attempts. */
const RETRY_DELAY_MS = 1000;

type Start = Pick<TurnRecord, 'chat_id' | 'id'>;

export class UnconfirmedTurns {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #goOn: (start: Start) => Promise<void>;
  /** The ids of such turns by chat. */
  readonly #open = new Map<string, Set<string>>();
  readonly #inTurn = new KeyedQueue();
  #stopTimer: (() => void) | undefined;

  /** @param goOn restores the turn if the store has it; rejects if the store does not answer */
  constructor(clock: Pick<Clock, 'after'>, goOn: (start: Start) => Promise<void>) {
    this.#clock = clock;
    this.#goOn = goOn;
  }

  /** Looks for a turn immediately, and retries until the store answers. Never rejects. */
  async failed({ chat_id, id }: Start): Promise<void> {
    this.#open.set(chat_id, (this.#open.get(chat_id) ?? new Set()).add(id));
    await this.settle(chat_id).catch(() => this.#tryLater());
  }

  /** Restores the turns of a chat that are stored. Rejects if the store does not answer. */
  settle(chatId: string): Promise<void> {
    if (!this.#open.has(chatId)) return Promise.resolve();
    return this.#inTurn.run(chatId, async () => {
      const ids = this.#open.get(chatId);
      for (const id of ids ?? []) {
        await this.#goOn({ chat_id: chatId, id });
        ids?.delete(id);
      }
      if (ids?.size === 0) this.#open.delete(chatId);
    });
  }

  forget(chatId: string): void {
    this.#open.delete(chatId);
  }

  /** Drops the remaining turns; the next start of the kernel finds them. */
  stop(): void {
    this.#open.clear();
    this.#stopTimer?.();
  }

  #tryLater(): void {
    this.#stopTimer ??= this.#clock.after(RETRY_DELAY_MS, async () => {
      this.#stopTimer = undefined;
      await Promise.allSettled([...this.#open.keys()].map(chatId => this.settle(chatId)));
      if (this.#open.size > 0) this.#tryLater();
    });
  }
}
