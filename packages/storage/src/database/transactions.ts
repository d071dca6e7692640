/** The work that a store has under way, so that a close can wait for it. */
import type { Db } from '../tables/schema.ts';
import type { Database } from './database.ts';

type Work<Result> = (db: Db) => Promise<Result>;
/** Runs its callback in a transaction. */
export type Write = <Result>(work: Work<Result>) => Promise<Result>;

export class Transactions {
  readonly #database: Pick<Database, 'db' | 'checkOwned'>;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(database: Pick<Database, 'db' | 'checkOwned'>) {
    this.#database = database;
  }

  read<Result>(work: Work<Result>): Promise<Result> {
    return this.run(() => work(this.#database.db));
  }

  readonly write: Write = work => this.run(() => this.within(work));

  /** Runs work of several transactions, each made by `within`. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error('The store is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** A transaction of work that runs already, which a close does not refuse. */
  readonly within: Write = async work => {
    this.#database.checkOwned();
    return await this.#database.db.transaction().execute(work);
  };

  /** Refuses what is asked from now on, and lets what was asked for before it end. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
