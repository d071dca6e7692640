/** What a chat looks like at one moment. Immutable: the same object until something changes. */
import type { Item, PlanTask } from '../api/types.ts';
import type { OpenRequest, TurnView } from '../items/turn-view.ts';
import type { StreamConnection } from '../streams/reconnecting.ts';

export interface ChatSnapshot {
  /** Oldest first: the history as far as it was read, then what the running turn has made. */
  readonly items: readonly Item[];
  /** Older ones can be read: `loadOlder`. */
  readonly has_older: boolean;
  readonly loading_older: boolean;
  /** The newest page of the history is there. */
  readonly loaded: boolean;
  /** The turn that runs, waits or sleeps, else the last that was seen; null: none was. Its items are in `items`. */
  readonly turn: TurnView | null;
  /** Whether `turn` goes on. */
  readonly busy: boolean;
  /** What waits for an answer of this or another client. */
  readonly requests: readonly OpenRequest[];
  /** Empty: there is none. */
  readonly plan: readonly PlanTask[];
  readonly connection: StreamConnection;
  /** What ended the view: the chat is gone, the kernel refuses. */
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
