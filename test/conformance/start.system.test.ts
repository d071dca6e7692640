/** Tests refused starts: a kernel that lost its data reports it instead of starting empty (SAFE-2). */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A directory that a kernel has used and that is free now. */
async function used(database?: string): Promise<{ dataDir: string; database?: string }> {
  const place = { dataDir: join(home(), 'data'), ...(database !== undefined && { database }) };
  const kernel = await startKernelProcess(place);
  await kernel.client.createChat();
  await kernel.stop();
  return place;
}

/** Starts the program, which must fail to start; returns its last output. */
async function refused({ dataDir, database }: { dataDir: string; database?: string }): Promise<string> {
  const flags = database === undefined ? [] : ['--set', `database.url=${database}`];
  const { out, err, code } = await runCommand(['--port', '0', '--data', dataDir, ...flags], home());
  expect({ out, code }).toEqual({ out: '', code: 1 });
  return err;
}

test('[SAFE-2] refuses to start if the database of a used directory is missing or empty', async () => {
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
  const doctor = await runCommand(['doctor', '--data', dataDir, '--set', 'server.port=0'], home());
  expect(doctor.out).toContain(
    `✗ database: The database ${path} is missing or empty, but ${dataDir} was used`,
  );
  // The restored old file works again.
  writeFileSync(path, kept);
  const again = await startKernelProcess({ dataDir });
  expect((await again.api.get('/v1/chats')).body.chats).toHaveLength(1);
  await again.stop();
});

test('[SAFE-2] refuses to start if the Postgres database was emptied or replaced by an empty one', async () => {
  const url = await postgres.createDatabase({ empty: true });
  const { dataDir } = await used(url);
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query('drop schema public cascade; create schema public');
  await session.end();
  const says =
    /^chat-kernel: The Postgres database .* is missing or empty, but its data directory .* has been used before: it was last used with "The Postgres database /;
  expect(await refused({ dataDir, database: url })).toMatch(says);
  expect(await refused({ dataDir, database: await postgres.createDatabase({ empty: true }) })).toMatch(says);
  expect(await refused({ dataDir })).toMatch(/chat-kernel\.db is missing or empty, but its data directory/);
});

test('[SAFE-2] refuses to start with a damaged database, one of a newer schema, or after an interrupted restore', async () => {
  const { dataDir } = await used();
  const path = join(dataDir, 'chat-kernel.db');
  const whole = readFileSync(path);
  const noise = Buffer.from(whole);
  for (let at = 8192; at < noise.length; at++) noise.writeUInt8((at * 31) & 0xff, at);
  writeFileSync(path, noise);
  const says = await refused({ dataDir });
  expect(says).toMatch(/^chat-kernel: The database .*chat-kernel\.db (is damaged|can't be opened): /);
  expect(says).toContain(`Keep a copy of ${path}; then ${OUT}.\n`);
  expect(readFileSync(path).equals(noise)).toBe(true);
  writeFileSync(path, whole);

  const database = new DatabaseSync(path);
  database.exec("update meta set value = '1000' where key = 'schema_version'");
  database.close();
  expect(await refused({ dataDir })).toMatch(
    /^chat-kernel: The database .* has schema version 1000, and this chat-kernel knows versions up to \d+\. Start the newer chat-kernel again; or, .*\.\n$/,
  );

  writeFileSync(join(dataDir, 'restoring'), '');
  expect(await refused({ dataDir })).toBe(
    `chat-kernel: A restore into ${dataDir} did not end. Empty the directory (and the database, where that is a server's) ` +
      'and restore the backup again.\n',
  );
});

test('[SAFE-2] refuses to start a second kernel if the lock file of the first was deleted', async () => {
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
  // The first kernel stops writing, too, because it cannot know that it is the only one (SAFE-5).
  const { status, body } = await kernel.api.post('/v1/chats', {});
  expect([status, body.code]).toEqual([503, 'storage_unavailable']);
  await kernel.kill();
  await (await startKernelProcess({ dataDir })).stop();
});

test('[SAFE-2] starts with a warning if its running file cannot be written', async () => {
  const dataDir = join(home(), 'data');
  // Has the effect of a full disk: the file cannot be written.
  mkdirSync(join(dataDir, 'chat-kernel.running.json.new'), { recursive: true, mode: 0o700 });
  const kernel = await startKernelProcess({ dataDir });
  onTestFinished(async () => void (await kernel.kill()));
  expect((await kernel.api.get('/readyz')).status).toBe(200);
  expect((await kernel.api.get('/v1/chats')).status).toBe(200);
  expect(kernel.log()).toContain('Writing the file by which other commands find this kernel failed.');
  await kernel.stop();
});
