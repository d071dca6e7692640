/** Prepares the statements of a connection once and caches them, and runs them one after another. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { BoundedMap } from '@chat-kernel/base';

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** The result of a statement: its rows, or what it changed. Can be sent to another thread. */
export interface Answer {
  rows: Record<string, unknown>[];
  changes?: number | bigint;
  insertId?: number | bigint;
}

/** More than the store has statements, as long as the number of messages per insert stays small. */
const KEPT_STATEMENTS = 200;

interface Kept {
  statement: StatementSync;
  hasRows: boolean;
}

export class SqliteStatements {
  readonly #connection: DatabaseSync;
  /** By SQL; least recently used first. */
  readonly #kept = new BoundedMap<string, Kept>(KEPT_STATEMENTS);

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** @throws the errors of node:sqlite, which have SQLite's number in `errcode` */
  run({ sql, parameters }: Statement): Answer {
    const { statement, hasRows } = this.#find(sql);
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes, insertId: lastInsertRowid };
  }

  /** True if the statement is cached; for tests. */
  keeps(sql: string): boolean {
    return this.#kept.has(sql);
  }

  #find(sql: string): Kept {
    const kept = this.#kept.get(sql) ?? this.#prepare(sql);
    this.#kept.set(sql, kept);
    return kept;
  }

  #prepare(sql: string): Kept {
    const statement = this.#connection.prepare(sql);
    return { statement, hasRows: statement.columns().length > 0 };
  }
}

// Every transaction of the store writes; one that starts as a reader may fail to become a writer.
export const BEGIN = 'begin immediate';
export const COMMIT = 'commit';
export const ROLLBACK = 'rollback';

/** Runs statements on the connection that writes, in any thread. */
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
