/** Node's SQLite driver in the form that Kysely's SQLite dialect asks for, with its statements kept. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** More statements than the store has, as long as the number of messages in an insert stays small. */
const KEPT_STATEMENTS = 200;

export class SqliteStatements implements SqliteDatabase {
  readonly #connection: DatabaseSync;
  /** By SQL; the least recently used first. */
  readonly #kept = new Map<string, SqliteStatement>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  prepare(sql: string): SqliteStatement {
    // An error such as a full disk has rolled back already; a second time would hide that error.
    if (sql === 'rollback' && !this.#connection.isTransaction) return NOTHING;
    const statement = this.#kept.get(sql) ?? this.#prepareNew(sql);
    this.#kept.delete(sql);
    this.#kept.set(sql, statement);
    if (this.#kept.size > KEPT_STATEMENTS) this.#kept.delete(this.#kept.keys().next().value!);
    return statement;
  }

  close(): void {
    this.#kept.clear();
    this.#connection.close();
  }

  #prepareNew(sql: string): SqliteStatement {
    // Every transaction of the store writes; one that starts as a reader may fail to become a writer.
    return new Statement(this.#connection.prepare(sql === 'begin' ? 'begin immediate' : sql));
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]) {
    return this.#statement.all(...(parameters as SQLInputValue[]));
  }

  run(parameters: readonly unknown[]) {
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  iterate(parameters: readonly unknown[]) {
    return this.#statement.iterate(...(parameters as SQLInputValue[]));
  }
}

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
};
