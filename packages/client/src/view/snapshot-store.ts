/** The newest snapshot of a view, and those who listen for the next one. */
import type { ChatSnapshot } from './snapshot.ts';

export class SnapshotStore {
  readonly #look: () => ChatSnapshot;
  readonly #listeners = new Set<() => void>();
  #snapshot: ChatSnapshot;
  readonly #schedule: (take: () => void) => void;
  #isDue = false;

  /** @param look takes a snapshot @param schedule calls soon, once */
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

  /** Calls the listener at each new snapshot. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes a snapshot soon, by default at the end of this tick: once for all that changes until then. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      this.#snapshot = this.#look();
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Resolves with the first snapshot that fits, now or later. Rejects when the view ends before. */
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
