/** The state of a chat at one moment. Immutable: the same object until something changes. */
import type { Item, PlanTask } from '../api/types.ts';
import type { OpenRequest, TurnView } from '../items/turn-view.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';

export interface ChatSnapshot {
  /** Oldest first: the history that was read, then the items of the running turn. */
  readonly items: readonly Item[];
  /** True if `loadOlder` has more to read. */
  readonly has_older: boolean;
  readonly loading_older: boolean;
  /** True once the newest page of the history is loaded. */
  readonly loaded: boolean;
  /**
   * The turn that runs, waits or sleeps, otherwise the last one seen; null if there was none. Its items are in `items`.
   */
  readonly turn: TurnView | null;
  /** True until `turn` ends, and while the record of the chat has a turn whose events have not arrived (`report`). */
  readonly busy: boolean;
  /** The requests that wait for an answer of this or another client. */
  readonly requests: readonly OpenRequest[];
  /** The plan of the chat; empty: there is none. */
  readonly plan: readonly PlanTask[];
  readonly connection: StreamConnection;
  /** The error that ended the view: the chat was deleted, or the kernel refuses. */
  readonly failure: Error | null;
}

export const EMPTY_SNAPSHOT: ChatSnapshot = {
  items: [],
  has_older: false,
  loading_older: false,
  loaded: false,
  turn: null,
  busy: false,
  requests: [],
  plan: [],
  connection: { state: 'connecting' },
  failure: null,
};
