/** The turns that a followed chat tells of: the one that runs, and those that ended and are not read back yet. */
import type { TurnEvent } from '../api/types.ts';
import { applyEvents } from '../items/reducer.ts';
import { newTurn, type TurnView } from '../items/turn-view.ts';

export class LiveTurns {
  /** Oldest first. */
  #shown: readonly TurnView[] = [];
  #last: TurnView | null = null;

  /** Those whose items are not the history's yet. */
  get shown(): readonly TurnView[] {
    return this.#shown;
  }

  /** The one that runs, or ran last. */
  get last(): TurnView | null {
    return this.#last;
  }

  /** @returns whether a turn began, ended, or must be looked for in the history: then that is to be read again */
  take(event: TurnEvent): boolean {
    const last = this.#last;
    if (event.type === 'reset') {
      this.forget();
      return true;
    }
    const begins = last === null || (last.done !== null && event.type !== 'request_resolved');
    const before = begins ? this.#begin() : last;
    const next = applyEvents(before, [event]);
    this.#last = next;
    this.#shown = this.#shown.map(shown => (shown === before ? next : shown));
    // Only its items tell which turn it is; then its message can be found.
    return next.done !== before.done || next.turn_id !== before.turn_id;
  }

  /** This client has started it: it goes on, though nothing was told of it yet. Behind another one it waits. */
  announce(turn_id: string): void {
    const last = this.#last;
    if (last !== null && (last.done === null || last.turn_id === turn_id)) return;
    this.#last = this.#begin(turn_id);
  }

  /** The history has these now. */
  settle(ended: readonly TurnView[]): void {
    const ids = new Set(ended.map(({ turn_id }) => turn_id));
    this.#shown = this.#shown.filter(turn => turn.done === null || !ids.has(turn.turn_id));
  }

  /** What was told of the open turn is void: it is told anew, or it ended and stands in the history. */
  forget(): void {
    if (this.#last?.done !== null) return;
    this.#shown = this.#shown.filter(turn => turn !== this.#last);
    this.#last = null;
  }

  #begin(turn_id: string | null = null): TurnView {
    const turn = newTurn(turn_id);
    this.#shown = [...this.#shown, turn];
    return turn;
  }
}
