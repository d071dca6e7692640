/**
 * Gives up work that ends the process. Without it, an answer that crashes the module, exhausts its memory or hangs it
 * does so again after each restart, because the module continues where it stopped.
 */
import type { SurfaceStore } from './store.ts';

/** How often work may end the process. */
const MAX_CRASHES = 2;

/** Thrown instead of beginning work that has ended the process twice. */
export class GivenUp extends Error {
  constructor(key: string) {
    super(`It ended the process ${MAX_CRASHES} times: ${key}`);
    this.name = 'GivenUp';
  }
}

/**
 * Stores each key while its work is in progress, in a table of its own. A key that a process leaves behind counts as a crash.
 * While such a key runs again, all others wait, so that only the one that ends the process is given up.
 */
export class CrashGuard {
  readonly #store: SurfaceStore;
  readonly #signal: AbortSignal;
  /** Key → how often it was in progress when a process ended. */
  readonly #crashes: Map<string, number>;
  readonly #running = new Set<string>();
  /** The keys with a crash that run or wait. */
  readonly #suspects = new Set<string>();
  #onChange = Promise.withResolvers<void>();

  /** @param signal aborted when the module stops, which is not a crash */
  constructor(store: SurfaceStore, signal: AbortSignal) {
    this.#store = store;
    this.#signal = signal;
    store.transaction(() => {
      store.run(
        'CREATE TABLE IF NOT EXISTS crash_guard (key TEXT PRIMARY KEY, crashes INTEGER NOT NULL, running INTEGER NOT NULL)',
      );
      store.run('UPDATE crash_guard SET crashes = crashes + 1, running = 0 WHERE running = 1');
    });
    const rows = store.all<{ key: string; crashes: number }>('SELECT key, crashes FROM crash_guard');
    this.#crashes = new Map(rows.map(({ key, crashes }) => [key, crashes]));
    signal.addEventListener('abort', () => {
      for (const key of [...this.#running]) this.pause(key);
      this.#notify();
    });
  }

  isGivenUp(key: string): boolean {
    return (this.#crashes.get(key) ?? 0) >= MAX_CRASHES;
  }

  /**
   * Resolves when the work may begin, with its record stored; immediately if it has begun before. After it, call `pause`
   * or `end`. Do not wait for other work in between, which may wait for this.
   * @throws GivenUp, or the reason of the signal
   */
  async begin(key: string): Promise<void> {
    if (this.#running.has(key)) return;
    if (this.isGivenUp(key)) throw new GivenUp(key);
    if (this.#crashes.has(key)) this.#suspects.add(key);
    try {
      while (!this.#signal.aborted && (this.#suspects.has(key) ? this.#running : this.#suspects).size > 0) {
        await this.#onChange.promise;
      }
      this.#signal.throwIfAborted();
      this.#store.run(
        'INSERT INTO crash_guard VALUES (?, 0, 1) ON CONFLICT (key) DO UPDATE SET running = 1',
        key,
      );
      this.#running.add(key);
    } catch (error) {
      this.#suspects.delete(key);
      this.#notify();
      throw error;
    }
  }

  /** The process has survived an attempt, and the work is not finished: others may run until it begins again. */
  pause(key: string): void {
    if (!this.#running.has(key)) return;
    this.#store.run(
      this.#crashes.has(key)
        ? 'UPDATE crash_guard SET running = 0 WHERE key = ?'
        : 'DELETE FROM crash_guard WHERE key = ?',
      key,
    );
    this.#release(key);
  }

  /** The work is finished or given up, and does not begin again. Forgets its crashes. */
  end(key: string): void {
    if (!this.#running.has(key) && !this.#crashes.has(key)) return;
    this.#store.run('DELETE FROM crash_guard WHERE key = ?', key);
    this.#crashes.delete(key);
    this.#release(key);
  }

  /** Runs work to its end. If it throws, it may begin again. @throws GivenUp, the reason of the signal, or its error */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.begin(key);
    try {
      const result = await work();
      this.end(key);
      return result;
    } finally {
      this.pause(key);
    }
  }

  /** Like `run`. Work that has ended the process twice never begins again: `giveUp` takes its place. */
  async attempt<Result>(
    key: string,
    work: () => Promise<Result>,
    giveUp: () => void | Promise<void>,
  ): Promise<Result | undefined> {
    try {
      return await this.run(key, work);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
    await giveUp();
    this.end(key);
    return undefined;
  }

  #release(key: string): void {
    this.#running.delete(key);
    this.#suspects.delete(key);
    this.#notify();
  }

  /** Lets everything that waits look again, in the order in which it came. */
  #notify(): void {
    this.#onChange.resolve();
    this.#onChange = Promise.withResolvers();
  }
}
