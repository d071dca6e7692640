/** The work that a store has under way, so that a close can wait for it. */
import type { Db } from '../tables/schema.ts';
import type { Database, Procedure } from './database.ts';
import { isBusy, unavailable } from './unavailable.ts';

/** A transaction that meets another process is made again for so long, without holding up anything else. */
const BUSY_MS = 5000;
const BUSY_PAUSE_MS = 50;

type Work<Result> = (db: Db) => Promise<Result>;
/** Runs its callback in a transaction. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

export class Transactions {
  readonly #database: Pick<Database, 'call' | 'checkOwned' | 'db'>;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(database: Pick<Database, 'call' | 'checkOwned' | 'db'>) {
    this.#database = database;
  }

  read<Result>(work: Work<Result>): Promise<Result> {
    return this.run(() => work(this.#database.db));
  }

  readonly write: Write = work => this.run(() => this.within(work));

  /**
   * Runs work of several transactions, each made by `within`.
   * @throws KernelError storage_unavailable where the disk or the database is the cause (SAFE-2)
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

  /** Runs a procedure as a transaction. */
  call<Args extends unknown[]>(procedure: Procedure<Args>, ...args: Args): Promise<void> {
    return this.run(() => this.#tried(() => this.#database.call(procedure, args)));
  }

  /** A write of one statement, which is a transaction by itself. */
  readonly statement: Write = work => this.run(() => this.#tried(() => work(this.#database.db)));

  /** A transaction of work that runs already, which a close does not refuse. */
  readonly within: Write = work => this.#tried(() => this.#database.db.transaction().execute(work));

  async #tried<Result>(transact: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + BUSY_MS;
    for (;;) {
      this.#database.checkOwned();
      try {
        return await transact();
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
        await new Promise(resolve => setTimeout(resolve, BUSY_PAUSE_MS));
      }
    }
  }

  /** Refuses what is asked from now on, and lets what was asked for before it end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
