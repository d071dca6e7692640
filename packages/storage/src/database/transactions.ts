/** Tracks the running work of a store, so that a close can wait for it. */
import { pause } from '@chat-kernel/base';
import type { Db } from '../tables/schema.ts';
import type { Database } from './database.ts';
import { isBusy, unavailable } from './unavailable.ts';

/** How long a transaction is retried while another process has the database locked, without blocking other work. */
const BUSY_MS = 5000;
const BUSY_PAUSE_MS = 50;

type Work<Result> = (db: Db) => Promise<Result>;
/** Runs its callback in a transaction. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

export class Transactions {
  readonly #database: Pick<Database, 'checkOwned' | 'db'>;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(database: Pick<Database, 'checkOwned' | 'db'>) {
    this.#database = database;
  }

  read<Result>(work: Work<Result>): Promise<Result> {
    return this.run(() => work(this.#database.db));
  }

  readonly write: Write = work => this.run(() => this.within(work));

  /**
   * Runs work that consists of several transactions, each created by `within`.
   * @throws KernelError storage_unavailable if the disk or the database is the cause (SAFE-2)
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('The store is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw unavailable(error) ?? error;
    } finally {
      this.#running.delete(running);
    }
  }

  /** A write of one statement, which is its own transaction. */
  readonly statement: Write = work => this.run(() => this.#tried(() => work(this.#database.db)));

  /** A transaction of work that is already running, which a close does not refuse. */
  readonly within: Write = work => this.#tried(() => this.#database.db.transaction().execute(work));

  async #tried<Result>(transact: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + BUSY_MS;
    for (;;) {
      this.#database.checkOwned();
      try {
        return await transact();
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
        await pause(BUSY_PAUSE_MS);
      }
    }
  }

  /** Refuses new work, and waits for running work to end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
