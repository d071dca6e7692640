/** Tracks the turns of a followed chat: the running one, and ended ones that the history does not show yet. */
import type { PlanTask, TurnEvent } from '../api/types.ts';
import { applyEvents } from '../items/reducer.ts';
import { newTurn, type TurnView } from '../items/turn-view.ts';

export class LiveTurns {
  /** The turns whose items the history does not show yet, oldest first. */
  shown: readonly TurnView[] = [];
  /** The running turn, or the one that ran last. */
  last: TurnView | null = null;
  /** The plan of the chat. */
  plan: readonly PlanTask[] = [];
  /** The turn of the chat as its record names it. */
  #reported: string | null = null;
  /** Turns whose end was seen: a record that names one of them is out of date. */
  readonly #ended = new Set<string>();

  /** True while a turn runs or waits, by its events or by the record of the chat. */
  get isBusy(): boolean {
    if (this.last !== null && this.last.done === null) return true;
    return this.#reported !== null && !this.#ended.has(this.#reported);
  }

  /**
   * Applies an event. Returns true if the history must be read again: a turn began, ended, or is in the history now.
   */
  take(event: TurnEvent): boolean {
    const last = this.last;
    if (event.type === 'reset') {
      this.forget();
      return true;
    }
    const begins = last === null || (last.done !== null && event.type !== 'request_resolved');
    // A plan event without a running turn means that another client cleared the plan; it begins no turn.
    if (begins && event.type === 'plan') {
      this.plan = event.tasks;
      return false;
    }
    const before = begins ? this.#begin() : last;
    const next = applyEvents(before, [event]);
    this.last = next;
    if (event.type === 'done') this.#ended.add(event.turn_id);
    if (next.plan) this.plan = next.plan;
    this.shown = this.shown.map(shown => (shown === before ? next : shown));
    // Items name the turn; from then on its message can be found.
    return next.done !== before.done || next.turn_id !== before.turn_id;
  }

  /**
   * Shows a turn that this client has started before its first event arrives; not if it is queued behind another turn.
   */
  announce(turn_id: string): void {
    const last = this.last;
    if (last !== null && (last.done === null || last.turn_id === turn_id)) return;
    this.last = this.#begin(turn_id);
  }

  /** Records the turn that the chat has; null: none. */
  report(turnId: string | null): void {
    this.#reported = turnId;
  }

  /** Removes turns that the history contains now. */
  settle(ended: readonly TurnView[]): void {
    const ids = new Set(ended.map(({ turn_id }) => turn_id));
    this.shown = this.shown.filter(turn => turn.done === null || !ids.has(turn.turn_id));
  }

  /**
   * Sets the plan that the kernel returned. `known` was the plan at the time of the request; a turn's events since then
   * are newer.
   */
  settlePlan(known: readonly PlanTask[], tasks: readonly PlanTask[]): void {
    if (this.plan === known) this.plan = tasks;
  }

  /** Removes the open turn: its events start over, or it ended and is in the history. */
  forget(): void {
    if (this.last?.done !== null) return;
    this.shown = this.shown.filter(turn => turn !== this.last);
    this.last = null;
  }

  #begin(turn_id: string | null = null): TurnView {
    const turn = newTurn(turn_id);
    this.shown = [...this.shown, turn];
    return turn;
  }
}
