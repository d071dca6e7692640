/** Runs statements one after another on the connection that writes, in any thread. */
import type { DatabaseSync } from 'node:sqlite';
import { type Answer, SqliteStatements, type Statement } from './sqlite-statements.ts';

// Every transaction of the store writes; one that starts as a reader may fail to become a writer.
export const BEGIN = 'begin immediate';
export const COMMIT = 'commit';
export const ROLLBACK = 'rollback';

export class SqliteExecutor {
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  /** Why the transaction of the next statements has ended early. */
  #gone: unknown;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = new SqliteStatements(connection);
  }

  /** Runs a statement of a transaction, or one that begins or ends it. @throws the errors of node:sqlite */
  run(statement: Statement): Answer {
    const { sql } = statement;
    if (sql === BEGIN || sql === ROLLBACK) this.#gone = undefined;
    // An error such as a full disk has already rolled back; a second rollback would hide that error.
    if (sql === ROLLBACK && !this.#connection.isTransaction) return { rows: [] };
    // Without its transaction, the statement would be committed separately and immediately.
    if (sql !== BEGIN && !this.#connection.isTransaction)
      throw this.#gone ?? new Error(`There is no transaction for: ${sql}`);
    try {
      return this.#statements.run(statement);
    } catch (error) {
      if (sql === COMMIT && this.#connection.isTransaction) this.#connection.exec(ROLLBACK);
      if (!this.#connection.isTransaction) this.#gone = error;
      throw error;
    }
  }

  /** Runs a statement outside of any transaction. @throws the errors of node:sqlite */
  runAlone(statement: Statement): Answer {
    return this.#statements.run(statement);
  }

  close(): void {
    this.#connection.close();
  }
}
