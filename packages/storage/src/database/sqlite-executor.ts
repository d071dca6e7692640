/** Runs statements one after another on the connection that writes, in whichever thread that is. */
import type { DatabaseSync } from 'node:sqlite';
import { type Answer, SqliteStatements, type Statement } from './sqlite-statements.ts';

// Every transaction of the store writes; one that starts as a reader may fail to become a writer.
export const BEGIN = 'begin immediate';
export const COMMIT = 'commit';
export const ROLLBACK = 'rollback';

/** A statement for the executor. */
export interface Order extends Statement {
  /** It runs outside of any transaction; all others must find one. */
  alone?: true;
}

/** The parts of an error of node:sqlite, which an error loses on its way between threads. */
export interface Failure {
  message: string;
  code?: unknown;
  errcode?: unknown;
}

export type Outcome = Answer | { failure: Failure };

export class SqliteExecutor {
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  /** The reason for which the transaction of the next statements is gone. */
  #gone: unknown;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = new SqliteStatements(connection);
  }

  run(orders: readonly Order[]): Outcome[] {
    return orders.map(order => {
      try {
        return this.#run(order);
      } catch (error) {
        const { message, code, errcode } = error as Failure;
        return { failure: { message, code, errcode } };
      }
    });
  }

  close(): void {
    this.#connection.close();
  }

  #run(order: Order): Answer {
    const { sql, alone = false } = order;
    if (alone) return this.#statements.run(order);
    if (sql === BEGIN || sql === ROLLBACK) this.#gone = undefined;
    // An error such as a full disk has rolled back already; a second time would hide that error.
    if (sql === ROLLBACK && !this.#connection.isTransaction) return { rows: [] };
    // Without its transaction a statement would be stored by itself, at once.
    if (sql !== BEGIN && !this.#connection.isTransaction)
      throw this.#gone ?? new Error(`There is no transaction for: ${sql}`);
    try {
      return this.#statements.run(order);
    } catch (error) {
      if (sql === COMMIT && this.#connection.isTransaction) this.#connection.exec(ROLLBACK);
      if (!this.#connection.isTransaction) this.#gone = error;
      throw error;
    }
  }
}
