/**
 * Retries to store the ends of turns that have ended for their readers but not in the store, also at a shutdown
 * (SAFE-5).
 */
import { pause } from '@chat-kernel/base';
import type { Clock, NewMessage } from '../ports/index.ts';
import type { UnstoredTurn } from '../turn/turn-writes.ts';

/** The delay between two attempts. */
const RETRY_DELAY_MS = 1000;
/** The time limit at a shutdown. */
const LAST_MS = 10_000;

export class PendingEndings {
  readonly #clock: Clock;
  /** The last such turn of each chat; it refers to earlier ones by `writes.previous`. */
  readonly #last = new Map<string, UnstoredTurn>();
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  last(chatId: string): UnstoredTurn | undefined {
    return this.#last.get(chatId);
  }

  find(chatId: string, turnId: string): UnstoredTurn | undefined {
    let turn = this.#last.get(chatId);
    while (turn && turn.record.id !== turnId) turn = turn.writes.previous;
    return turn;
  }

  /** The messages of a chat that were published to readers but are not stored, oldest first. */
  messages(chatId: string): NewMessage[] {
    const found: NewMessage[] = [];
    for (let turn = this.#last.get(chatId); turn; turn = turn.writes.previous) {
      found.unshift(...turn.writes.unsavedMessages);
    }
    return found;
  }

  /** Records that a turn has ended. If its end is stored, so are those of earlier turns. */
  note(turn: UnstoredTurn): void {
    if (turn.writes.unsaved) {
      this.#last.set(turn.record.chat_id, turn);
      this.#tryLater();
    } else {
      this.#last.delete(turn.record.chat_id);
    }
  }

  /** Stores the missing ends of a chat. Rejects if they still cannot be stored. */
  async settle(chatId: string): Promise<void> {
    const turn = this.#last.get(chatId);
    await turn?.writes.settle();
    // The end of another turn may have failed in the same way since.
    if (this.#last.get(chatId) === turn) this.#last.delete(chatId);
  }

  /** Stores everything that is missing, for at most 10 seconds; returns the number of chats that remain incomplete. */
  async stop(): Promise<number> {
    this.#stopTimer?.();
    const until = this.#clock.now() + LAST_MS;
    await this.#tryAll();
    while (this.#last.size > 0 && this.#clock.now() < until) {
      await pause(RETRY_DELAY_MS, { clock: this.#clock });
      await this.#tryAll();
    }
    return this.#last.size;
  }

  forget(chatId: string): void {
    this.#last.delete(chatId);
  }

  #tryLater(): void {
    this.#stopTimer ??= this.#clock.after(RETRY_DELAY_MS, () => {
      this.#stopTimer = undefined;
      void this.#tryAll().then(() => {
        if (this.#last.size > 0) this.#tryLater();
      });
    });
  }

  /** Failures were logged when the turns closed, and the next attempt is automatic. */
  async #tryAll(): Promise<void> {
    for (const chatId of [...this.#last.keys()]) await this.settle(chatId).catch(() => {});
  }
}
