/** Prepares the statements of a connection once and caches them, and runs them one after another. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { BoundedMap } from '@chat-kernel/base';

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** The result of a statement: its rows, or what it changed. */
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
