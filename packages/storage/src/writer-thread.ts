/**
 * The thread that writes to a SQLite database. It processes waiting requests together, so that their transactions share
 * a commit, and answers them together.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { CREATE_TURN, WRITE_TURN } from './chats/turn-writes.ts';
import type { Procedure } from './database/database.ts';
import { changeOf } from './database/database-file.ts';
import { connect } from './database/sqlite-connection.ts';
import { sqliteDialect } from './database/sqlite-dialect.ts';
import { sqliteSearch } from './database/sqlite-search.ts';
import { SqliteExecutor, SqliteStatements } from './database/sqlite-statements.ts';
import type { Asked, Failure, OpenedDatabase, Told } from './database/sqlite-thread.ts';
import { SqliteWriter } from './database/sqlite-writer.ts';
import type { Schema } from './tables/schema.ts';

/** Lists the callable procedures. */
const PROCEDURES = [CREATE_TURN, WRITE_TURN] as const;

const port = parentPort!;
const { path, opened }: OpenedDatabase = workerData;
// SQLite would make a database of another file at the path, and empty the log of the one that is open.
const change = changeOf(path, opened);
if (change) throw new Error(`${path} was ${change}`);
const connection = connect(path);
const writer = new SqliteWriter(new SqliteExecutor(connection));
const db = new Kysely<Schema>({ dialect: sqliteDialect(new SqliteStatements(connection), () => writer) });
let asked: ({ number: number } & Asked)[] = [];
let told: Told[] = [];

port.on('message', (message: { number: number } & Asked) => {
  if (asked.length === 0) setImmediate(drainRequests);
  asked.push(message);
});
// The first message reports that the database is open.
port.postMessage([]);

function drainRequests(): void {
  const taken = asked;
  asked = [];
  for (const { number, ...what } of taken) {
    done(what).then(
      value => queueAnswer({ number, value }),
      ({ message, code, errcode }: Failure) => queueAnswer({ number, failure: { message, code, errcode } }),
    );
  }
}

async function done(what: Asked): Promise<unknown> {
  switch (what.ask) {
    case 'run':
    case 'alone':
      return writer[what.ask](what.statement);
    case 'call':
      return db.transaction().execute(transaction => {
        const procedure = PROCEDURES.find(({ name }) => name === what.name) as Procedure<unknown[]>;
        return procedure.work(transaction, sqliteSearch, ...what.args);
      });
    case 'close':
      await writer.close();
      // Closes after this request was answered.
      setImmediate(() => port.close());
      return undefined;
    default:
      return writer[what.ask]();
  }
}

function queueAnswer(answer: Told): void {
  if (told.length === 0) process.nextTick(send);
  told.push(answer);
}

function send(): void {
  port.postMessage(told);
  told = [];
}
