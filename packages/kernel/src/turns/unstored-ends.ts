/** Turns that have ended for their readers while their ends could not be stored yet. */
import type { RunningTurn } from '../turn/running-turn.ts';

export class UnstoredEnds {
  /** The last such turn of each chat; earlier ones hang on it by `previousUnstored`. */
  readonly #last = new Map<string, RunningTurn>();

  last(chatId: string): RunningTurn | undefined {
    return this.#last.get(chatId);
  }

  find(chatId: string, turnId: string): RunningTurn | undefined {
    let turn = this.#last.get(chatId);
    while (turn && turn.record.id !== turnId) turn = turn.previousUnstored;
    return turn;
  }

  /** Notes that a turn has ended. Where its own end is stored, those of earlier turns are too. */
  note(turn: RunningTurn): void {
    if (turn.writes.unsaved) this.#last.set(turn.record.chat_id, turn);
    else this.#last.delete(turn.record.chat_id);
  }

  /** Stores the missing ends of a chat. Rejects where they still cannot be stored. */
  async settle(chatId: string): Promise<void> {
    const turn = this.#last.get(chatId);
    await turn?.writes.settle();
    // Meanwhile the end of another turn may have failed in the same way.
    if (this.#last.get(chatId) === turn) this.#last.delete(chatId);
  }

  forget(chatId: string): void {
    this.#last.delete(chatId);
  }
}
