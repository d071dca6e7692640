/** Starts that are refused: a kernel that lost its data says so, and does not begin anew (SAFE-2). */
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import { runCommand } from '../harness/command.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const OUT =
  'put the old one back, or restore a backup into an empty directory (chat-kernel restore FILE --data DIR)';
const home = directoryOfTest;

/** A directory that a kernel has used, and left. */
async function used(database?: string): Promise<{ dataDir: string; database?: string }> {
  const place = { dataDir: join(home(), 'data'), ...(database !== undefined && { database }) };
  const kernel = await startKernelProcess(place);
  await kernel.client.createChat();
  await kernel.stop();
  return place;
}

/** Starts the program, which must not start; answers its last words. */
async function refused({ dataDir, database }: { dataDir: string; database?: string }): Promise<string> {
  const flags = database === undefined ? [] : ['--set', `database.url=${database}`];
  const { out, err, code } = await runCommand(['--port', '0', '--data', dataDir, ...flags], home());
  expect({ out, code }).toEqual({ out: '', code: 1 });
  return err;
}

test('[SAFE-2] a database that is missing or empty in a directory that was used stops the start', async () => {
  const { dataDir } = await used();
  const path = join(dataDir, 'chat-kernel.db');
  const says =
    `chat-kernel: The database ${path} is missing or empty, but its data directory ${dataDir} has been used before: ` +
    `it was last used with "The database ${path}". The kernel does not begin anew there: ${OUT}. To move to another ` +
    'database, restore a backup there; to begin anew, name another directory with --data.\n';
  const kept = readFileSync(path);
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  expect(await refused({ dataDir })).toBe(says);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, '');
  expect(await refused({ dataDir })).toBe(says);
  expect(statSync(path).size).toBe(0);
  const empty = new DatabaseSync(path);
  empty.exec('create table t (x); drop table t');
  empty.close();
  expect(await refused({ dataDir })).toBe(says);
  const doctor = await runCommand(['doctor', '--data', dataDir, '--set', 'server.port=0'], home());
  expect(doctor.out).toContain(
    `✗ database: The database ${path} is missing or empty, though ${dataDir} has been used`,
  );
  // The old one put back is as good as ever.
  writeFileSync(path, kept);
  const again = await startKernelProcess({ dataDir });
  expect((await again.api.get('/v1/chats')).body.chats).toHaveLength(1);
  await again.stop();
});

test('[SAFE-2] a Postgres database that was emptied stops the start, and so does another one that is empty', async () => {
  const url = await postgres.createDatabase();
  const { dataDir } = await used(url);
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query('drop schema public cascade; create schema public');
  await session.end();
  const says =
    /^chat-kernel: The Postgres database .* is missing or empty, but its data directory .* has been used before: it was last used with "The Postgres database /;
  expect(await refused({ dataDir, database: url })).toMatch(says);
  expect(await refused({ dataDir, database: await postgres.createDatabase() })).toMatch(says);
  expect(await refused({ dataDir })).toMatch(/chat-kernel\.db is missing or empty, but its data directory/);
});

test('[SAFE-2] a damaged database stops the start, and no byte of it is changed', async () => {
  const { dataDir } = await used();
  const path = join(dataDir, 'chat-kernel.db');
  const whole = readFileSync(path);
  const damages: Record<string, (bytes: Buffer) => Buffer> = {
    'no header': bytes => bytes.fill(0, 0, 100),
    'another file': () => Buffer.from('This is no database, whatever its name says. '.repeat(200)),
    'pages of nothing': bytes => bytes.fill(0, 8192, Math.floor(bytes.length / 2)),
    'pages of noise': bytes => {
      for (let at = 8192; at < bytes.length; at++) bytes.writeUInt8((at * 31) & 0xff, at);
      return bytes;
    },
    'cut off': bytes => bytes.subarray(0, 12288),
  };
  for (const [name, damage] of Object.entries(damages)) {
    const bytes = damage(Buffer.from(whole));
    writeFileSync(path, bytes);
    const says = await refused({ dataDir });
    expect(says, name).toMatch(/^chat-kernel: The database .*chat-kernel\.db (is damaged|can't be opened): /);
    expect(says, name).toContain(`Keep a copy of ${path}; then ${OUT}.\n`);
    expect(readFileSync(path).equals(bytes), name).toBe(true);
  }
  writeFileSync(path, whole);
  truncateSync(path, whole.length);
  await (await startKernelProcess({ dataDir })).stop();
});

test('[SAFE-2] a database of a newer schema stops the start', async () => {
  const { dataDir } = await used();
  const database = new DatabaseSync(join(dataDir, 'chat-kernel.db'));
  database.exec("update meta set value = '1000' where key = 'schema_version'");
  database.close();
  expect(await refused({ dataDir })).toMatch(
    /^chat-kernel: The database .* has schema version 1000, and this chat-kernel knows versions up to \d+\. Start the newer chat-kernel again; or, .*\.\n$/,
  );
});

test('[SAFE-2] a restore that broke off stops the start', async () => {
  const { dataDir } = await used();
  writeFileSync(join(dataDir, 'restoring'), '');
  expect(await refused({ dataDir })).toBe(
    `chat-kernel: A restore into ${dataDir} did not end. Empty the directory (and the database, where that is a server's) ` +
      'and restore the backup again.\n',
  );
});

test('[SAFE-2] a second kernel does not start where the lock file of one that runs was deleted', async () => {
  const dataDir = join(home(), 'data');
  const kernel: KernelProcess = await startKernelProcess({ dataDir });
  onTestFinished(async () => {
    await kernel.kill();
  });
  rmSync(join(dataDir, 'chat-kernel.lock'));
  const says =
    `chat-kernel: Another kernel uses this data directory: ${dataDir}. Its lock file was deleted; stop that kernel ` +
    'before you start one again.\n';
  expect(await refused({ dataDir })).toBe(says);
  // The attempt left nothing that makes the next one succeed.
  expect(await refused({ dataDir })).toBe(says);
  // Nor does the first one write on, for it can't know that it is alone (SAFE-5).
  const { status, body } = await kernel.api.post('/v1/chats', {});
  expect([status, body.code]).toEqual([503, 'storage_unavailable']);
  await kernel.kill();
  await (await startKernelProcess({ dataDir })).stop();
});
