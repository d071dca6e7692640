/** Kysely's dialect for two connections: this thread's connection reads, and the writer writes. */
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
import type { Answer, SqliteStatements, Statement } from './sqlite-statements.ts';
import type { Writer } from './sqlite-writer.ts';

/** @param writer function that returns the current writer; absent: read-only, and the reader runs all statements */
export function sqliteDialect(reader: SqliteStatements, writer?: () => Writer): Dialect {
  return {
    createDriver: () => new SqliteDriver(reader, writer),
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
  readonly #writer: (() => Writer) | undefined;

  constructor(reader: SqliteStatements, writer: (() => Writer) | undefined) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#reader, this.#writer);
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.end('commit');
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  /** The code that opened the connections also closes them. */
  async destroy(): Promise<void> {}
}

class Connection implements DatabaseConnection {
  readonly #reader: SqliteStatements;
  readonly #writer: (() => Writer) | undefined;
  /** The writer of the open transaction. */
  #writing: Writer | undefined;

  constructor(reader: SqliteStatements, writer: (() => Writer) | undefined) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async begin(): Promise<void> {
    let writer: Writer | undefined;
    do writer = this.#writer?.();
    while (writer && !(await writer.begin()));
    this.#writing = writer;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const writer = this.#writing;
    this.#writing = undefined;
    await writer?.[how]();
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
    if (this.#writing) return this.#writing.run(query);
    return this.#writer === undefined || isRead(query)
      ? this.#reader.run(query)
      : aloneBy(this.#writer, query);
  }
}

/** Runs a statement with the current writer while no transaction is open. */
export async function aloneBy(present: () => Writer, statement: Statement): Promise<Answer> {
  let answer: Answer | false;
  do answer = await present().alone(statement);
  while (answer === false);
  return answer;
}

/** See `Database`. */
export const listed: Database['listed'] = values =>
  sql`(select key as place, value from json_each(${JSON.stringify(values)}))`;

const isRead = ({ query, sql: text }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|with)\b/i.test(text));
