/**
 * Turns that seemed not to be stored, and may be all the same: the connection broke before the answer. They are looked for
 * until that is known, so that none stays open in the store that no queue has (SAFE-5).
 */
import { PerKey } from '../base/keyed-queue.ts';
import type { Clock, TurnRecord } from '../ports/index.ts';

/** The pause between two attempts. */
const AGAIN_MS = 1000;

type Start = Pick<TurnRecord, 'chat_id' | 'id'>;

export class UnheardStarts {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #goOn: (start: Start) => Promise<void>;
  /** The ids of such turns, by their chats. */
  readonly #open = new Map<string, Set<string>>();
  readonly #inTurn = new PerKey();
  #stopTimer: (() => void) | undefined;

  /** @param goOn takes the turn up where the store has it, and rejects where the store does not say */
  constructor(clock: Pick<Clock, 'after'>, goOn: (start: Start) => Promise<void>) {
    this.#clock = clock;
    this.#goOn = goOn;
  }

  /** Looks for a turn at once, and again until the store answers. Never rejects. */
  async failed({ chat_id, id }: Start): Promise<void> {
    this.#open.set(chat_id, (this.#open.get(chat_id) ?? new Set()).add(id));
    await this.settle(chat_id).catch(() => this.#tryLater());
  }

  /** Takes up the turns of a chat that are stored. Rejects where the store does not answer. */
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

  /** The next start of the kernel finds what is left. */
  stop(): void {
    this.#open.clear();
    this.#stopTimer?.();
  }

  #tryLater(): void {
    this.#stopTimer ??= this.#clock.after(AGAIN_MS, async () => {
      this.#stopTimer = undefined;
      await Promise.allSettled([...this.#open.keys()].map(chatId => this.settle(chatId)));
      if (this.#open.size > 0) this.#tryLater();
    });
  }
}
