/** `chat-kernel backup`, `restore` and `files move`: what they do with the data, and what they print. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '@chat-kernel/settings/start-failure';
import type { moveBytes } from '@chat-kernel/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import { directoryOfTest } from '../../../test/harness/directory-of-test.ts';
import { startKernel, type TestKernel } from '../../../test/harness/kernel.ts';
import { PNG } from '../../../test/harness/pictures.ts';
import { restore } from '../src/commands/backup.ts';
import { moveFiles } from '../src/commands/files.ts';
import { runInProcess } from './run-in-process.ts';

const shared = temporaryDirectory();
const data = join(shared.path, 'data');
let kernel: TestKernel;
let home: string;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: data });
  kernel.upstream.next({ steps: [{ image: { media_type: 'image/png', bytes: PNG } }] });
  writeFileSync(join(shared.path, 'a.txt'), randomBytes(200_000).toString('hex'));
  await runInProcess(['ask', 'Draw.', '--file', 'a.txt', '--url', kernel.url], shared.path);
});
afterAll(async () => {
  await kernel.stop();
  shared.remove();
});
beforeEach(() => {
  home = directoryOfTest();
});
const run = (words: string[], env?: Record<string, string>) =>
  runInProcess(words, home, { ...(env && { env }) });

const CONTENT = '1 chats, 2 messages, 1 files, 1 images, 0 books, 0 videos; schema \\d+';

describe('a backup', () => {
  it('is written while the kernel runs, verified, and restored', async () => {
    const file = join(home, 'kept.backup');
    const warning = { CHAT_KERNEL_NO_SUCH: '1' };
    const backup = await run(['backup', 'kept.backup', '--data', data], warning);
    expect(backup).toEqual({
      out: expect.stringMatching(new RegExp(`^${file}: ${CONTENT}, 0\\.2 MiB\\.\\n$`)),
      err: expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n([\w ]+: \d+( of \d+)?\n)+$/),
      code: 0,
    });
    const check = await run(['backup', '--check', 'kept.backup']);
    expect(check).toEqual({
      out: expect.stringMatching(
        new RegExp(`^${file} is complete: ${CONTENT}, created 20\\S+Z on sqlite\\.\\n$`),
      ),
      err: expect.stringMatching(/^\w+: \d+/),
      code: 0,
    });
    const to = join(home, 'new');
    const restored = await run(['restore', 'kept.backup', '--data', to], warning);
    expect(restored).toEqual({
      out: expect.stringMatching(
        new RegExp(`^Restored to ${to} from the backup of 20\\S+Z: ${CONTENT}\\.\\n$`),
      ),
      err: expect.stringMatching(/^CHAT_KERNEL_NO_SUCH: unknown variable.*\n([\w ]+: \d+( of \d+)?\n)+$/),
      code: 0,
    });
    for (const words of [
      ['backup', 'x', '--data', to],
      ['backup', '--check', 'x'],
      ['restore', 'x', '--data', 'y'],
    ])
      expect((await run([...words, '-q'])).err).toBe('');
    expect((await run(['restore', 'kept.backup', '--data', to])).err).toMatch(/^chat-kernel: .*\n$/);
    for (const [count, kind] of ['files', 'images'].entries()) {
      rmSync(join(to, kind), { recursive: true });
      expect(await run(['backup', 'again', '-q', '--data', to])).toMatchObject({
        err: `Missing on disk and not backed up: ${count + 1} files and images.\n`,
        code: 0,
      });
    }
  });

  it('is not written without data, and rejected if damaged', async () => {
    expect(await run(['backup', 'kept', '--data', 'none'])).toMatchObject({ out: '', code: 1 });
    writeFileSync(join(home, 'torn'), 'x');
    for (const words of [
      ['backup', '--check', 'torn'],
      ['restore', 'torn'],
    ])
      expect(await run(words)).toEqual({
        out: '',
        err: expect.stringMatching(/^chat-kernel: .*torn/),
        code: 1,
      });
    expect(existsSync(join(home, 'kept'))).toBe(false);
  });
});

it.each([
  [
    20,
    'postgres',
    /^The backup is from an older version, so its files and images are in the data directory\./,
  ],
  [20, 'data_dir', /^$/],
  [21, 'postgres', /^$/],
])('a restore of schema %i into %s says whether files must be moved', async (schema, store, err) => {
  const head = { schema, made_at: 'then', database: 'sqlite' };
  const bytes = { images: { count: 3, missing: 0 }, files: { count: 2, missing: 0 } };
  const tables = { chats: 1234, messages: 5, video_history: 7 };
  const unpack = async () => ({ head, manifest: { tables, bytes } }) as never;
  const flags = { data: 'data', set: ['database.url=postgres://127.0.0.1:1/x', `files.store.in=${store}`] };
  const restored = await runInProcess(() => restore('kept', flags, unpack), home);
  expect(restored).toEqual({
    out: `Restored to ${home}/data from the backup of then: 1,234 chats, 5 messages, 2 files, 3 images, 0 books, 7 videos; schema ${schema}.\n`,
    err: expect.stringMatching(err),
    code: 0,
  });
});

describe('files move', () => {
  const move = (summary: object) =>
    runInProcess(
      () =>
        moveFiles({ to: 'data_dir', data: 'data' }, async (_, { onProgress }) => {
          onProgress({ doing: 'files', done: 1, total: 3 });
          return { moved: 0, bytes: 0, missing: 0, damaged: [], ...summary };
        }),
      home,
    );

  it.each([
    [{ moved: 1234, bytes: 1.5 * 1024 ** 2 }, 'Moved 1,234 files and images to data_dir, 1.5 MiB.\n', '', 0],
    [
      { missing: 1 },
      'Moved 0 files and images to data_dir, 0.0 MiB.\n',
      '1 were not found. If another kernel stores them in its data_dir, run this command there.\n',
      1,
    ],
    [
      { damaged: ['a', 'b'] },
      'Moved 0 files and images to data_dir, 0.0 MiB.\n',
      'a is damaged and was not moved.\nb is damaged and was not moved.\n',
      1,
    ],
  ])('reports %j', async (summary, out, err, code) => {
    expect(await move(summary)).toEqual({ out, err: `${err}files: 1 of 3\n`, code });
  });

  it('prints the last progress before an error', async () => {
    const failing = async (_: unknown, { onProgress }: Parameters<typeof moveBytes>[1]) => {
      onProgress({ doing: 'files', done: 1, total: 3 });
      throw new CommandError('No space.');
    };
    const flags = { to: 'data_dir', data: 'data' };
    expect(await runInProcess(() => moveFiles(flags, failing), home)).toEqual({
      out: '',
      err: 'files: 1 of 3\nchat-kernel: No space.\n',
      code: 1,
    });
  });

  it('moves no file that is in the right place, and none while a kernel runs', async () => {
    expect(await run(['files', 'move', '--to', 'moon'])).toEqual({
      out: '',
      err: 'chat-kernel: --to must be one of data_dir, postgres, s3.\n',
      code: 1,
    });
    expect(await run(['files', 'move', '--to', 'data_dir', '--data', data])).toMatchObject({
      out: '',
      err: expect.stringMatching(/^chat-kernel: Another kernel uses this data directory/),
      code: 1,
    });
    await run(['backup', 'kept', '-q', '--data', data]);
    await run(['restore', 'kept', '-q', '--data', 'new']);
    expect(await run(['files', 'move', '--to', 'data_dir', '--data', 'new', '-q'])).toEqual({
      out: 'Moved 0 files and images to data_dir, 0.0 MiB.\n',
      err: '',
      code: 0,
    });
  });
});
