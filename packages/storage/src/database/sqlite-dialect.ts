/** Kysely's dialect for two connections: one reads what is committed, and the other writes. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Database } from './database.ts';
import type { Answer, SqliteStatements } from './sqlite-statements.ts';
import type { SqliteWriter } from './sqlite-writer.ts';
import type { SyncedLog } from './synced-log.ts';

interface Written {
  writer: SqliteWriter;
  log: Pick<SyncedLog, 'settled'>;
}

/** @param written how the database is written; absent: read-only, and the reader runs all statements */
export function sqliteDialect(reader: SqliteStatements, written?: Written): Dialect {
  return {
    createDriver: () => new SqliteDriver(reader, written),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ManyConnections(),
    createIntrospector: db => new SqliteIntrospector(db),
  };
}

/** The writer serializes transactions; other statements need not wait. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #reader: SqliteStatements;
  readonly #written: Written | undefined;

  constructor(reader: SqliteStatements, written: Written | undefined) {
    this.#reader = reader;
    this.#written = written;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#reader, this.#written);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await this.#written?.writer.begin();
    connection.isWriting = true;
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.isWriting = false;
    await this.#written?.writer.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    // Kysely also calls this after a failed commit, when another transaction may have begun.
    if (!connection.isWriting) return;
    connection.isWriting = false;
    await this.#written?.writer.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** The code that opened the connections also closes them. */
  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  readonly #reader: SqliteStatements;
  readonly #written: Written | undefined;
  /** True while it has the open transaction of the writer. */
  isWriting = false;

  constructor(reader: SqliteStatements, written: Written | undefined) {
    this.#reader = reader;
    this.#written = written;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes, insertId } = await this.#run(query);
    if (changes === undefined) return { rows: rows as Row[] };
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(insertId ?? 0) };
  }

  streamQuery(): never {
    throw new Error('Nothing is streamed: a read that lasts would keep all others from seeing what is new.');
  }

  #run(query: CompiledQuery): Answer | Promise<Answer> {
    if (this.#written === undefined) return this.#reader.run(query);
    const { writer, log } = this.#written;
    if (this.isWriting) return writer.run(query);
    if (!isRead(query)) return writer.alone(query);
    const answer = this.#reader.run(query);
    // It may have something that a power cut would take back.
    return log.settled()?.then(() => answer) ?? answer;
  }
}

/** See `Database`. */
export const listed: Database['listed'] = values =>
  sql`(select key as place, value from json_each(${JSON.stringify(values)}))`;

const isRead = ({ query, sql: text }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(text));
