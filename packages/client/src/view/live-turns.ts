/** The turns of a followed chat: the one that runs, and those that ended and that the history does not show yet. */
import type { PlanTask, TurnEvent } from '../api/types.ts';
import { applyEvents } from '../items/reducer.ts';
import { newTurn, type TurnView } from '../items/turn-view.ts';

export class LiveTurns {
  /** Oldest first. */
  #shown: readonly TurnView[] = [];
  #last: TurnView | null = null;
  #plan: readonly PlanTask[] = [];

  /** The turns whose items the history does not show yet. */
  get shown(): readonly TurnView[] {
    return this.#shown;
  }

  /** The turn that runs, or ran last. */
  get last(): TurnView | null {
    return this.#last;
  }

  /** The plan of the chat. */
  get plan(): readonly PlanTask[] {
    return this.#plan;
  }

  /** Applies an event. Returns whether the history is to be read again: a turn began, ended, or stands there now. */
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
    if (next.plan) this.#plan = next.plan;
    this.#shown = this.#shown.map(shown => (shown === before ? next : shown));
    // Items name the turn; from then on its message can be found.
    return next.done !== before.done || next.turn_id !== before.turn_id;
  }

  /** Shows a turn that this client has started before its first event; one that is queued behind another is not shown yet. */
  announce(turn_id: string): void {
    const last = this.#last;
    if (last !== null && (last.done === null || last.turn_id === turn_id)) return;
    this.#last = this.#begin(turn_id);
  }

  /** Drops turns that the history has now. */
  settle(ended: readonly TurnView[]): void {
    const ids = new Set(ended.map(({ turn_id }) => turn_id));
    this.#shown = this.#shown.filter(turn => turn.done === null || !ids.has(turn.turn_id));
  }

  /** The plan as the kernel has it: `known` was the plan when it was asked, and a turn's events since then are newer. */
  settlePlan(known: readonly PlanTask[], tasks: readonly PlanTask[]): void {
    if (this.#plan === known) this.#plan = tasks;
  }

  /** Drops the open turn: its events start over, or it ended and stands in the history. */
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
