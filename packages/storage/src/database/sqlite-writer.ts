/** Writes to a SQLite database: one transaction at a time, each durable before its promise resolves. */
import type { DatabaseSync } from 'node:sqlite';
import { Semaphore } from '@chat-kernel/base';
import { type Answer, SqliteStatements, type Statement } from './sqlite-statements.ts';
import type { SyncedLog } from './synced-log.ts';

// Every transaction of the store writes; one that starts as a reader may fail to become a writer.
const BEGIN = 'begin immediate';
const COMMIT = 'commit';
const ROLLBACK = 'rollback';

export class SqliteWriter {
  readonly #connection: DatabaseSync;
  readonly #statements: SqliteStatements;
  readonly #log: Pick<SyncedLog, 'check' | 'synced'>;
  /** Held by the transaction that is active. */
  readonly #turn = new Semaphore(1);
  /** Why the active transaction has ended early. */
  #gone: unknown;

  constructor(connection: DatabaseSync, log: Pick<SyncedLog, 'check' | 'synced'>) {
    this.#connection = connection;
    this.#statements = new SqliteStatements(connection);
    this.#log = log;
  }

  /** Resolves when it is this transaction's turn; `commit` or `rollback` must follow. */
  async begin(): Promise<void> {
    await this.#turn.acquire();
    try {
      this.#log.check();
      this.#order(BEGIN);
    } catch (error) {
      this.#turn.release();
      throw error;
    }
    this.#gone = undefined;
  }

  /** Runs a statement of the active transaction. @throws the errors of node:sqlite */
  run(statement: Statement): Answer {
    // Without its transaction, the statement would be committed separately and immediately.
    if (!this.#connection.isTransaction)
      throw this.#gone ?? new Error(`There is no transaction for: ${statement.sql}`);
    try {
      return this.#statements.run(statement);
    } catch (error) {
      // An error such as a full disk has already rolled back.
      if (!this.#connection.isTransaction) this.#gone = error;
      throw error;
    }
  }

  /** Commits the active transaction. Resolves once it is on the disk. */
  async commit(): Promise<void> {
    try {
      this.run({ sql: COMMIT, parameters: [] });
    } catch (error) {
      if (this.#connection.isTransaction) this.#order(ROLLBACK);
      throw error;
    } finally {
      this.#turn.release();
    }
    await this.#log.synced();
  }

  /** Rolls back the active transaction. */
  async rollback(): Promise<void> {
    try {
      // A second rollback would hide the error that has already rolled back.
      if (this.#connection.isTransaction) this.#order(ROLLBACK);
    } finally {
      this.#turn.release();
    }
  }

  /** Runs a statement while no transaction is open. Resolves once its changes are on the disk. */
  async alone(statement: Statement): Promise<Answer> {
    const answer = await this.pause(async () => {
      this.#log.check();
      return this.#statements.run(statement);
    });
    await this.#log.synced();
    return answer;
  }

  /** Runs work while no transaction is open, and lets none begin. */
  pause<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turn.run(work);
  }

  /** Ends after all earlier requests. */
  close(): Promise<void> {
    return this.pause(async () => this.#connection.close());
  }

  #order(sql: string): void {
    this.#statements.run({ sql, parameters: [] });
  }
}
