/** A turn as it is drawn: the sum of its events. Immutable; `applyEvents` makes the next one. */
import type { EventOf, Item, PendingRequest, PlanTask, TurnError, TurnStatus, Usage } from '../api/types.ts';

/** A request that a client is to answer. */
export interface OpenRequest {
  /** The id for the answer: of the operation, or of the tool call. */
  id: string;
  kind: PendingRequest['kind'];
  /** The index of the question; for a question alone. */
  question?: number;
  /** The event that asked: an operation, an extra tool call, or the tool call that has the questions. */
  event: EventOf<'client_op' | 'extra_tool_call' | 'tool_call'>;
}

export interface TurnView {
  /** Null until an event names the turn. */
  readonly turn_id: string | null;
  readonly status: TurnStatus;
  /** Turns before this one while it is queued, else null. */
  readonly position: number | null;
  /** Null unless the turn sleeps. */
  readonly sleeping: Pick<EventOf<'sleeping'>, 'since' | 'until' | 'reason'> | null;
  /** True while history is folded, a pause. */
  readonly compacting: boolean;
  /** Characters of old outputs that no longer go to the model. */
  readonly freed_chars: number;
  readonly items: readonly Item[];
  /** Null: the turn has not touched the plan. Empty: the plan is closed. */
  readonly plan: readonly PlanTask[] | null;
  readonly requests: readonly OpenRequest[];
  /** The usage of the last trip to the provider. */
  readonly usage: (Usage & { model: string }) | null;
  readonly error: TurnError | null;
  /** The last event of the turn; null while it goes on. */
  readonly done: EventOf<'done'> | null;
  /**
   * Characters of the open text that original events have brought and its item_delta events have not yet, so that text
   * of both sets is added once.
   */
  readonly ahead: number;
}

export const newTurn = (turn_id: string | null = null): TurnView => ({
  turn_id,
  status: 'running',
  position: null,
  sleeping: null,
  compacting: false,
  freed_chars: 0,
  items: [],
  plan: null,
  requests: [],
  usage: null,
  error: null,
  done: null,
  ahead: 0,
});
