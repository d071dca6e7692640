/** The statements of a connection, prepared once and kept. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A statement as it is asked for. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** What a statement gave: its rows, or what it changed. Can be sent to another thread. */
export interface Answer {
  rows: Record<string, unknown>[];
  changes?: number | bigint;
  insertId?: number | bigint;
}

/** More statements than the store has, as long as the number of messages in an insert stays small. */
const KEPT_STATEMENTS = 200;

interface Kept {
  statement: StatementSync;
  hasRows: boolean;
}

export class SqliteStatements {
  readonly #connection: DatabaseSync;
  /** By SQL; the least recently used first. */
  readonly #kept = new Map<string, Kept>();

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

  /** Whether the statement is kept, for tests. */
  keeps(sql: string): boolean {
    return this.#kept.has(sql);
  }

  #find(sql: string): Kept {
    const kept = this.#kept.get(sql) ?? this.#prepare(sql);
    this.#kept.delete(sql);
    this.#kept.set(sql, kept);
    if (this.#kept.size > KEPT_STATEMENTS) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }

  #prepare(sql: string): Kept {
    const statement = this.#connection.prepare(sql);
    return { statement, hasRows: statement.columns().length > 0 };
  }
}
