/** Stores the newest snapshot of a view and notifies its listeners. */
import type { ChatSnapshot } from './snapshot.ts';

export class SnapshotStore {
  readonly #look: () => ChatSnapshot;
  readonly #listeners = new Set<() => void>();
  #snapshot: ChatSnapshot;
  readonly #schedule: (take: () => void) => void;
  #isDue = false;

  /** @param look function that takes a snapshot @param schedule function that calls back soon, once */
  constructor(
    first: ChatSnapshot,
    look: () => ChatSnapshot,
    schedule: (take: () => void) => void = take => void setTimeout(take, 0),
  ) {
    this.#schedule = schedule;
    this.#snapshot = first;
    this.#look = look;
  }

  get snapshot(): ChatSnapshot {
    return this.#snapshot;
  }

  /** Calls the listener at each new snapshot. Returns the function to unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes a snapshot soon, by default at the end of this tick: one for all changes until then. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      this.#snapshot = this.#look();
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Resolves with the first matching snapshot, now or later. Rejects if the view ends before. */
  until(fits: (snapshot: ChatSnapshot) => boolean): Promise<ChatSnapshot> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const { failure, connection } = this.#snapshot;
        const end = failure ?? (connection.state === 'closed' ? new Error('The view was closed.') : null);
        if (fits(this.#snapshot)) resolve(this.#snapshot);
        else if (end) reject(end);
        else return;
        stop();
      };
      const stop = this.subscribe(check);
      check();
    });
  }
}
