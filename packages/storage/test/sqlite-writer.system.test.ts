/** Tests that the writer thread of SQLite keeps no process running. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { migrate } from '../src/migrations/migrate.ts';

const nothing = () => {};
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing };

test('ends a process whose last task is closing its database', async () => {
  const directory = directoryOfTest();
  const database = openSqlite(directory, QUIET, { threadAfter: 1_000_000 });
  await migrate(database, QUIET);
  await database.close();
  const program = `
    import { openSqlite } from '${new URL('../src/database/sqlite.ts', import.meta.url)}';
    const log = { debug() {}, info() {}, warn: console.log, error: console.log };
    const database = openSqlite(${JSON.stringify(directory)}, log, { threadAfter: 0 });
    // The thread has started by then.
    await new Promise(resolve => setTimeout(resolve, 1500));
    await database.close();
    console.log('closed');`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    program,
  ]);
  expect(stdout).toBe('closed\n');
});
