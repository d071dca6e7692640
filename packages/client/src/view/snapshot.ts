/** A chat as it looks at one moment. Immutable: the same object until something changes. */
import type { Item, PlanTask } from '../api/types.ts';
import type { OpenRequest, TurnView } from '../items/turn-view.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';

export interface ChatSnapshot {
  /** Oldest first: the history as far as it was read, then what the running turn has made. */
  readonly items: readonly Item[];
  /** True where `loadOlder` has more to read. */
  readonly has_older: boolean;
  readonly loading_older: boolean;
  /** True once the newest page of the history is there. */
  readonly loaded: boolean;
  /** The turn that runs, waits or sleeps, else the last that was seen; null: none was. Its items are in `items`. */
  readonly turn: TurnView | null;
  /** True while `turn` goes on. */
  readonly busy: boolean;
  /** The requests that wait for an answer of this or another client. */
  readonly requests: readonly OpenRequest[];
  /** The plan of the chat; empty: there is none. */
  readonly plan: readonly PlanTask[];
  readonly connection: StreamConnection;
  /** The error that ended the view: the chat is gone, the kernel refuses. */
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
