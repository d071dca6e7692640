/** The newest snapshot of a view, and those who listen for the next one. */
import type { ChatSnapshot } from './snapshot.ts';

export class SnapshotStore {
  readonly #look: () => ChatSnapshot;
  readonly #listeners = new Set<() => void>();
  #snapshot: ChatSnapshot;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param look takes a snapshot */
  constructor(first: ChatSnapshot, look: () => ChatSnapshot) {
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

  /** Takes a snapshot at the end of this tick, once for all that changes in it. */
  changed(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#snapshot = this.#look();
      for (const listener of [...this.#listeners]) listener();
    }, 0);
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
