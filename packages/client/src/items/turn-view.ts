/** How a turn looks to those who draw it: what its events come to. Immutable; `applyEvents` makes the next one. */
import type { EventOf, Item, PendingRequest, PlanTask, TurnError, TurnStatus, Usage } from '../api/types.ts';

/** Something the kernel waits for a client to answer. */
export interface OpenRequest {
  /** What an answer names: of the operation, or of the tool call. */
  id: string;
  kind: PendingRequest['kind'];
  /** The index of the question; of a question alone. */
  question?: number;
  /** How it was asked: an operation, an extra tool call, or the tool call that has the questions. */
  event: EventOf<'client_op' | 'extra_tool_call' | 'tool_call'>;
}

export interface TurnView {
  /** Null until an event has told it. */
  readonly turn_id: string | null;
  readonly status: TurnStatus;
  /** Turns before this one, while it is queued. */
  readonly position: number | null;
  /** While it sleeps. */
  readonly sleeping: Pick<EventOf<'sleeping'>, 'since' | 'until' | 'reason'> | null;
  /** History is being folded: a pause. */
  readonly compacting: boolean;
  /** Characters of old outputs that no longer go to the model. */
  readonly freed_chars: number;
  readonly items: readonly Item[];
  /** Null: this turn has told of none. Empty: it is closed. */
  readonly plan: readonly PlanTask[] | null;
  readonly requests: readonly OpenRequest[];
  /** Of the last trip to the provider. */
  readonly usage: (Usage & { model: string }) | null;
  readonly error: TurnError | null;
  /** The last event of the turn, once it has ended. */
  readonly done: EventOf<'done'> | null;
  /**
   * Characters of the open text that an original event has brought and its item_delta has not yet: what one set of
   * events tells, the other does not tell again.
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
