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

/** Stores the newest snapshot of a view and notifies its listeners. */
export class SnapshotStore {
  snapshot = EMPTY_SNAPSHOT;
  readonly #look: () => ChatSnapshot;
  readonly #schedule: (take: () => void) => void;
  readonly #listeners = new Set<() => void>();
  /** Resolves when the next snapshot is taken. */
  #due: Promise<void> | undefined;

  /** @param look function that takes a snapshot @param schedule function that calls back soon, once */
  constructor(
    look: () => ChatSnapshot,
    schedule: (take: () => void) => void = take => void setTimeout(take, 0),
  ) {
    this.#look = look;
    this.#schedule = schedule;
  }

  /** Calls the listener at each new snapshot. Returns the function to unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes a snapshot soon, by default at the end of this tick: one for all changes until then. Resolves when it is taken. */
  changed(): Promise<void> {
    if (this.#due) return this.#due;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#due = promise;
    this.#schedule(() => {
      this.#due = undefined;
      this.snapshot = this.#look();
      for (const listener of [...this.#listeners]) listener();
      resolve();
    });
    return promise;
  }

  /** Resolves with the first matching snapshot, now or later. Rejects if the view ends before. */
  until(fits: (snapshot: ChatSnapshot) => boolean): Promise<ChatSnapshot> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const { failure, connection } = this.snapshot;
        const end = failure ?? (connection.state === 'closed' ? new Error('The view was closed.') : null);
        if (fits(this.snapshot)) resolve(this.snapshot);
        else if (end) reject(end);
        else return;
        stop();
      };
      const stop = this.subscribe(check);
      check();
    });
  }
}
