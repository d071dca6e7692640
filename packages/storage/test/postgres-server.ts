/**
 * Runs the Postgres server that all test files of a run share as a process. It prints the port, and ends with the
 * process that started it: when the input closes, the server stops and its folder is removed.
 */
import { openDatabase } from '../src/database/engines.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { startServer, TEMPLATE } from './postgres.ts';

const over = new Promise<void>(resolve => process.stdin.on('close', resolve).resume());
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const server = await startServer({ durable: false });
try {
  const url = await server.createDatabase(TEMPLATE);
  const database = await openDatabase({ data_dir: '/dev/null', url }, quiet);
  await migrate(database, quiet);
  await database.close();
  process.stdout.write(`${server.port}\n`);
  await over;
} finally {
  await server.stop();
}
