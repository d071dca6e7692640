/** The state of a turn to display: the sum of its events. Immutable; `applyEvents` returns the next one. */
import type { EventOf, Item, PendingRequest, PlanTask, TurnError, TurnStatus, Usage } from '../api/types.ts';

/** A request that a client should answer. */
export interface OpenRequest {
  /** The id for the answer: the operation's, or the tool call's. */
  id: string;
  kind: PendingRequest['kind'];
  /** The index of the question; only for questions. */
  question?: number;
  /** The event of the request: an operation, an extra tool call, or the tool call that contains the questions. */
  event: EventOf<'client_op' | 'consent_request' | 'extra_tool_call' | 'tool_call'>;
}

export interface TurnView {
  /** Null until an event names the turn. */
  readonly turn_id: string | null;
  readonly status: TurnStatus;
  /** Number of turns before this one while it is queued, otherwise null. */
  readonly position: number | null;
  /** Null unless the turn sleeps. */
  readonly sleeping: Pick<EventOf<'sleeping'>, 'since' | 'until' | 'reason'> | null;
  /** True while the kernel compacts the history, which pauses the turn. */
  readonly compacting: boolean;
  /** The last pause before the kernel retries a provider; null once the turn continues. */
  readonly provider_wait: Pick<EventOf<'provider_wait'>, 'until' | 'attempt' | 'of' | 'reason'> | null;
  /** Characters of old outputs that the model no longer receives. */
  readonly freed_chars: number;
  readonly items: readonly Item[];
  /** Null: the turn has not changed the plan. Empty: the plan is closed. */
  readonly plan: readonly PlanTask[] | null;
  readonly requests: readonly OpenRequest[];
  /** The usage of the last provider request. */
  readonly usage: (Usage & { model: string }) | null;
  readonly error: TurnError | null;
  /** The last event of the turn; null while it runs. */
  readonly done: EventOf<'done'> | null;
}

export const newTurn = (turn_id: string | null = null): TurnView => ({
  turn_id,
  status: 'running',
  position: null,
  sleeping: null,
  compacting: false,
  provider_wait: null,
  freed_chars: 0,
  items: [],
  plan: null,
  requests: [],
  usage: null,
  error: null,
  done: null,
});
