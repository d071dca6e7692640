/**
 * Turns that have ended for their readers while their ends could not be stored yet. They are tried again until they are,
 * and at a shutdown (SAFE-5).
 */
import type { Clock, NewMessage } from '../ports/index.ts';
import type { RunningTurn } from '../turn/running-turn.ts';

/** The pause between two attempts. */
const AGAIN_MS = 1000;
/** The time that a shutdown gives them. */
const LAST_MS = 10_000;

export class UnstoredEnds {
  readonly #clock: Clock;
  /** The last such turn of each chat; earlier ones hang on it by `previousUnstored`. */
  readonly #last = new Map<string, RunningTurn>();
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  last(chatId: string): RunningTurn | undefined {
    return this.#last.get(chatId);
  }

  find(chatId: string, turnId: string): RunningTurn | undefined {
    let turn = this.#last.get(chatId);
    while (turn && turn.record.id !== turnId) turn = turn.previousUnstored;
    return turn;
  }

  /** The messages of a chat that readers were told and the store does not have, the oldest first. */
  messages(chatId: string): NewMessage[] {
    const found: NewMessage[] = [];
    for (let turn = this.#last.get(chatId); turn; turn = turn.previousUnstored) {
      found.unshift(...turn.writes.unsavedMessages);
    }
    return found;
  }

  /** Notes that a turn has ended. Where its own end is stored, those of earlier turns are too. */
  note(turn: RunningTurn): void {
    if (turn.writes.unsaved) {
      this.#last.set(turn.record.chat_id, turn);
      this.#tryLater();
    } else {
      this.#last.delete(turn.record.chat_id);
    }
  }

  /** Stores the missing ends of a chat. Rejects where they still cannot be stored. */
  async settle(chatId: string): Promise<void> {
    const turn = this.#last.get(chatId);
    await turn?.writes.settle();
    // Meanwhile the end of another turn may have failed in the same way.
    if (this.#last.get(chatId) === turn) this.#last.delete(chatId);
  }

  /** Stores all that is missing, for 10 seconds at most; returns how many chats still miss something. */
  async stop(): Promise<number> {
    this.#stopTimer?.();
    const until = this.#clock.now() + LAST_MS;
    await this.#tryAll();
    while (this.#last.size > 0 && this.#clock.now() < until) {
      await new Promise<void>(resolve => this.#clock.after(AGAIN_MS, resolve));
      await this.#tryAll();
    }
    return this.#last.size;
  }

  forget(chatId: string): void {
    this.#last.delete(chatId);
  }

  #tryLater(): void {
    this.#stopTimer ??= this.#clock.after(AGAIN_MS, () => {
      this.#stopTimer = undefined;
      void this.#tryAll().then(() => {
        if (this.#last.size > 0) this.#tryLater();
      });
    });
  }

  /** The failure of each was logged when its turn closed, and the next attempt comes by itself. */
  async #tryAll(): Promise<void> {
    for (const chatId of [...this.#last.keys()]) await this.settle(chatId).catch(() => {});
  }
}
