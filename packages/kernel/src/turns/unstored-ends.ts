/** The turns that have ended for those who watched them, and whose ends could not be stored yet. */
import type { RunningTurn } from '../turn/running-turn.ts';

export class UnstoredEnds {
  /** By chat: the last one; those before it stand behind it. */
  readonly #last = new Map<string, RunningTurn>();

  last(chatId: string): RunningTurn | undefined {
    return this.#last.get(chatId);
  }

  find(chatId: string, turnId: string): RunningTurn | undefined {
    let turn = this.#last.get(chatId);
    while (turn && turn.record.id !== turnId) turn = turn.previousUnstored;
    return turn;
  }

  /** The turn has ended; with its own end stored, those before it are too. */
  note(turn: RunningTurn): void {
    if (turn.writes.unsaved) this.#last.set(turn.record.chat_id, turn);
    else this.#last.delete(turn.record.chat_id);
  }

  /** Stores what is missing in a chat. Rejects where it still cannot be stored. */
  async settle(chatId: string): Promise<void> {
    const turn = this.#last.get(chatId);
    await turn?.writes.settle();
    // Meanwhile the next one may have come to the same end.
    if (this.#last.get(chatId) === turn) this.#last.delete(chatId);
  }

  forget(chatId: string): void {
    this.#last.delete(chatId);
  }
}
