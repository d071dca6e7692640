/** Tests backups: created while the kernel runs, restored into either database, refused if they would destroy data. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/storage/test/postgres.ts';
import type { Answer } from '../harness/client.ts';
import { runCommand } from '../harness/command.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { PATIENT } from '../harness/patient.ts';
import { PNG } from '../harness/pictures.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { calls, held, says } from '../harness/story.ts';

const SETTINGS = { push: { allow_private: true } };

let postgres: Postgres;
const shared = temporaryDirectory();
/** A running kernel on SQLite that holds some of every kind of data. No test changes it. */
const source: Place = { dataDir: join(shared.path, 'old') };
let kernel: KernelProcess;
let files: readonly string[];
/** A backup of it. */
const file = join(shared.path, 'kept.backup');
beforeAll(async () => {
  postgres = await startPostgres();
  kernel = await startKernelProcess({ ...source, settings: SETTINGS });
  files = await fill(kernel);
  await backUp(source, file);
}, PATIENT.timeout);
afterAll(async () => {
  await kernel.kill();
  await postgres.stop();
  shared.remove();
});

interface Place {
  dataDir: string;
  database?: string;
}
type Engine = 'SQLite' | 'Postgres';

async function newPlace(engine: Engine, home: string, name: string): Promise<Place> {
  const dataDir = join(home, name);
  return engine === 'SQLite'
    ? { dataDir }
    : { dataDir, database: await postgres.createDatabase({ empty: true }) };
}
/** The flags that name the location. */
const flagsOf = ({ dataDir, database }: Place): string[] => [
  '--data',
  dataDir,
  ...(database === undefined ? [] : ['--set', `database.url=${database}`]),
];

/** Starts a kernel that is killed at the end of the test if it still runs. */
async function start(place: Place): Promise<KernelProcess> {
  const kernel = await startKernelProcess({ ...place, settings: SETTINGS });
  onTestFinished(async () => {
    await kernel.kill();
  });
  return kernel;
}

/** The receiver in the example of RFC 8291. */
const BROWSER = {
  endpoint: 'http://127.0.0.1:9/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** Creates some of every kind of data that a kernel stores. Returns the ids of the files. */
async function fill({ api, client, upstream }: KernelProcess): Promise<string[]> {
  const upload = async (body: Buffer, name: string) => {
    const headers = { 'content-type': 'text/plain', 'x-file-name': encodeURIComponent(name) };
    return (await api.raw('/v1/files', { method: 'POST', headers, body })).body;
  };
  // Bytes that do not compress, so that the end of the file is far from its start in the archive.
  const long = await upload(
    Buffer.from(`Grüße\n${randomBytes(300_000).toString('base64')}`),
    `${'Ein langer Name, ä '.repeat(10)}.txt`,
  );
  const book = await upload(Buffer.from('# Waves\n\nThe harbour at dawn.\n'), 'waves.md');
  const chat = await client.createChat({ toolset: { loaded: ['books'] }, workdir: '/tmp', project: 'p' });
  await client.patchChat(chat.id, { title: 'Zürich \u{1f600} "quoted"' });
  upstream.next(says('A fox \u0000 and a 👩‍👩‍👧.'));
  const image = { media_type: 'image/png' as const, data: PNG.toString('base64') };
  await client.say(chat.id, 'What do you see?', { files: [{ id: long.id }], images: [image] });
  upstream.next(calls('b', 'books_upload', { file_id: book.id }), says('It is on the shelf.'));
  await client.say(chat.id, 'Shelve it.', { files: [{ id: book.id }] });
  const { messages } = (await api.get(`/v1/chats/${chat.id}/messages`)).body;
  await client.forkChat(chat.id, { before_message: messages.at(-1).id });
  const second = await client.createChat();
  upstream.next(says('Nothing.'));
  await client.say(second.id, 'Say nothing.');
  const { body: person } = await api.post('/v1/persons/resolve', { surface: 'mail', external_id: 'a@b' });
  await api.patch(`/v1/persons/${person.id}`, { trusted: true });
  for (const id of ['one', 'two', 'one']) await api.put(`/v1/video/history/${id}`, { duration_s: 100 });
  await api.put('/v1/video/subscriptions/UC1', { title: 'A channel' });
  for (const text of ['Drinks tea. ü\u0000', 'Likes herons.']) await api.post('/v1/memory', { text });
  const when = { cron: '0 9 1 1 *', timezone: 'UTC' };
  const { body: schedule } = await api.post('/v1/schedules', { text: 'Sum up.', title: 'Year', ...when });
  await api.post(`/v1/schedules/${schedule.id}/run`);
  const run = async () => (await api.get(`/v1/schedules/${schedule.id}`)).body.last?.status;
  await vi.waitFor(async () => expect(await run()).toBe('completed'), PATIENT);
  await api.get('/v1/push');
  // Subscribed to an event that nothing here causes.
  await api.put('/v1/push/subscriptions', { ...BROWSER, name: 'Phone', on: ['schedule_ended'] });
  await api.post('/v1/sleep', { reason: 'night' });
  return [long.id, book.id];
}

/** Returns the responses to all GET requests that show stored data. */
async function answersOf(
  { api, url }: KernelProcess,
  files: readonly string[],
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const get = async (path: string) => {
    const { status, body } = await api.get(path);
    // An export as Markdown names the kernel that created it.
    const bytes = Buffer.isBuffer(body) && body.toString('latin1').replaceAll(url, '');
    answers[path] = { status, body: bytes === false ? body : bytes };
    return body;
  };
  const { chats } = await get('/v1/chats');
  const turns = new Set<string>();
  for (const { id } of chats) {
    for (const part of ['', '/spend', '/plan', '/notes', '/export', '/export?format=md', '/items?limit=100'])
      await get(`/v1/chats/${id}${part}`);
    // Images of user messages come with their bytes.
    const { messages } = await get(`/v1/chats/${id}/messages?limit=100`);
    for (const { turn_id } of messages) if (turn_id !== null) turns.add(`${id}/turns/${turn_id}`);
  }
  for (const turn of turns) await get(`/v1/chats/${turn}`);
  for (const id of files) await get(`/files/${id}`);
  const { books } = await get('/v1/books');
  for (const { id } of books) await get(`/v1/books/${id}`);
  for (const query of ['fox', 'harbour', 'nothing', 'see'])
    answers[query] = (await api.get(`/v1/search?q=${query}`)).body;
  for (const path of [
    'approvals',
    'decisions',
    'memory',
    'sleep',
    'modules',
    'persons',
    'stats',
    'tools',
    'models',
    'requests',
  ])
    await get(`/v1/${path}`);
  // This value belongs to the process, and each response has another one.
  delete (answers['/v1/stats'] as Answer).body.uptime_s;
  for (const path of ['push', 'push/subscriptions']) await get(`/v1/${path}`);
  const { schedules } = await get('/v1/schedules');
  for (const { id } of schedules) await get(`/v1/schedules/${id}/runs`);
  for (const path of ['history', 'subscriptions', 'export?format=opml']) await get(`/v1/video/${path}`);
  return answers;
}

async function backUp(place: Place, to: string): Promise<void> {
  const made = await runCommand(['backup', to, ...flagsOf(place)], shared.path);
  expect(made).toMatchObject({ code: 0 });
  expect(made.out).toMatch(
    /kept\.backup: 4 chats, \d+ messages, 2 files, 1 images, 1 books, 2 videos; schema \d+, /,
  );
  expect(made.err).toMatch(/^files: 3$/m);
  expect(made.err).toMatch(/^messages: \d+$/m);
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(to))).not.toContain('kept.backup.part');
}

/** Restores a backup, and starts a kernel there. */
async function startRestored(archive: string, target: Place): Promise<KernelProcess> {
  expect(await runCommand(['restore', archive, ...flagsOf(target)], shared.path)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Restored to ${target.dataDir} from the backup of`),
  });
  expect(statSync(target.dataDir).mode & 0o777).toBe(0o700);
  // Browsers trust this key.
  expect(statSync(join(target.dataDir, 'push-key.json')).mode & 0o777).toBe(0o600);
  return start(target);
}

/** Checks that a restored kernel continues: search finds new texts and no deleted ones. */
async function expectContinues({ api, client, upstream, stop }: KernelProcess): Promise<void> {
  await client.wake();
  const chat = await client.createChat();
  upstream.next(says('Another fox.'));
  await client.say(chat.id, 'One more.');
  expect((await api.get('/v1/search?q=fox')).body.results[0].chat_id).toBe(chat.id);
  for (const { id } of (await api.get('/v1/chats')).body.chats) await api.delete(`/v1/chats/${id}`);
  expect((await api.get('/v1/search?q=fox')).body.results).toEqual([]);
  expect(await stop()).toEqual({ code: 0, signal: null });
}

test(
  '[SAFE-1] a backup of a running kernel is restored from SQLite to Postgres and back, and every GET returns the same',
  PATIENT,
  async () => {
    const home = directoryOfTest();
    const before = await answersOf(kernel, files);
    const told = JSON.stringify(before);
    for (const part of [PNG.toString('base64'), 'waves.md', 'harbour', 'A channel', 'night', 'Phone'])
      expect(told).toContain(part);
    expect(Object.values(before).filter(answer => (answer as Answer).status >= 400)).toEqual([]);

    const onPostgres = await newPlace('Postgres', home, 'on-postgres');
    const there = await startRestored(file, onPostgres);
    expect(await answersOf(there, files)).toEqual(before);
    const copy = join(home, 'kept.backup');
    await backUp(onPostgres, copy);
    expect(await answersOf(there, files)).toEqual(before);
    const back = await startRestored(copy, await newPlace('SQLite', home, 'back'));
    expect(await answersOf(back, files)).toEqual(before);
    for (const restored of [there, back]) await expectContinues(restored);
  },
);

test('[SAFE-1] closes a turn that ran during the backup as after a crash', async () => {
  const home = directoryOfTest();
  const place = await newPlace('SQLite', home, 'old');
  const { client, upstream } = await start(place);
  const chat = await client.createChat();
  const { reply, go } = held({ text: 'Late.' });
  upstream.next(reply);
  const turn = await client.begin(chat.id, { text: 'Wait.' });
  const archive = join(home, 'kept');
  expect(await runCommand(['backup', archive, ...flagsOf(place)], home)).toMatchObject({ code: 0 });
  go();
  await turn.all();
  const target = await newPlace('SQLite', home, 'new');
  expect(await runCommand(['restore', archive, ...flagsOf(target)], home)).toMatchObject({ code: 0 });
  const again = await start(target);
  const items = await again.client.items(chat.id);
  expect(items.map(({ kind, status }) => [kind, status])).toEqual([
    ['user_message', 'completed'],
    ['machine_note', 'completed'],
  ]);
});

test('[SAFE-1] writes an archive that tar and sha256sum read', async () => {
  const home = directoryOfTest();
  const plain = join(home, 'plain.tar');
  writeFileSync(plain, zstdDecompressSync(readFileSync(file)));
  const out = join(home, 'out');
  mkdirSync(out);
  execFileSync('tar', ['xf', plain, '-C', out]);
  expect(readdirSync(out).sort()).toEqual([
    'backup.json',
    'files',
    'images',
    'manifest.json',
    'push-key.json',
    'sums',
    'tables',
  ]);
  const checked = execFileSync(
    'sha256sum',
    ['-c', ...readdirSync(join(out, 'sums')).map(name => `sums/${name}`)],
    {
      cwd: out,
      encoding: 'utf8',
    },
  );
  expect(checked).toMatch(/^tables\/messages\/000001\.jsonl: OK$/m);
  expect(JSON.parse(readFileSync(join(out, 'backup.json'), 'utf8'))).toEqual({
    format: 'chat-kernel-backup',
    version: 2,
    schema: expect.any(Number),
    database: 'sqlite',
    made_at: expect.stringMatching(/Z$/),
  });
});

test(
  '[SAFE-1] restore rejects a directory or database in use, and leaves it empty if the archive is damaged',
  PATIENT,
  async () => {
    const home = directoryOfTest();
    const restore = (place: Place, path = file) =>
      runCommand(['restore', path, '-q', ...flagsOf(place)], home);
    expect(await restore(source)).toEqual({
      code: 1,
      out: '',
      err: `chat-kernel: Another kernel uses this data directory: ${source.dataDir}.\n`,
    });
    const target = await newPlace('Postgres', home, 'new');
    const cut = join(home, 'cut');
    writeFileSync(cut, readFileSync(file).subarray(0, -20));
    expect(await restore(target, cut)).toMatchObject({ code: 1, err: expect.stringMatching(/is damaged/) });
    expect(readdirSync(target.dataDir)).toEqual(['chat-kernel.lock']);
    // The second attempt finds no leftovers of the first.
    expect(await restore(target)).toMatchObject({ code: 0 });
    expect((await restore({ ...target, dataDir: join(home, 'other') })).err).toMatch(
      /The Postgres database .* is in use: it holds data of a chat-kernel already\./,
    );
  },
);
