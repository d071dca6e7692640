/** Kysely's dialect over two connections: reads by the one of this thread, all writing by the writer. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Answer, SqliteStatements } from './sqlite-statements.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/** @param writer absent: there are only reads, and the reader gets whatever is asked */
export function sqliteDialect(reader: SqliteStatements, writer?: SqliteWriter): Dialect {
  return {
    createDriver: () => new SqliteDriver(reader, writer),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ManyConnections(),
    createIntrospector: db => new SqliteIntrospector(db),
  };
}

/** The writer lets one transaction wait for the other, and nothing else has to. */
class ManyConnections extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #reader: SqliteStatements;
  readonly #writer: SqliteWriter | undefined;

  constructor(reader: SqliteStatements, writer: SqliteWriter | undefined) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#reader, this.#writer);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await this.#writer?.begin();
    connection.inTransaction = true;
  }

  async commitTransaction(connection: Connection): Promise<void> {
    connection.inTransaction = false;
    await this.#writer?.commit();
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.inTransaction = false;
    await this.#writer?.rollback();
  }

  async releaseConnection(): Promise<void> {}

  /** Whoever opened the connections closes them. */
  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  inTransaction = false;
  readonly #reader: SqliteStatements;
  readonly #writer: SqliteWriter | undefined;

  constructor(reader: SqliteStatements, writer: SqliteWriter | undefined) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#run(query);
    const { rows, changes, insertId } = answer;
    if (changes === undefined) return { rows: rows as Row[] };
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(insertId ?? 0) };
  }

  streamQuery(): never {
    throw new Error('Nothing is streamed: a read that lasts would keep all others from seeing what is new.');
  }

  #run(query: CompiledQuery): Answer | Promise<Answer> {
    if (this.#writer === undefined || (!this.inTransaction && isRead(query))) return this.#reader.run(query);
    return this.inTransaction ? this.#writer.run(query) : this.#writer.alone(run => run(query));
  }
}

const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(sql));
