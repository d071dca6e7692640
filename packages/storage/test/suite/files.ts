/** Tests uploaded files: their uses, their lifetime, and their bytes on a real disk. */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FileRecord, StoredBlock } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { UNUSED_FILE_LIFETIME_MS } from '../../src/chats/files.ts';
import { NOW } from '../records.ts';
import type { Stage } from '../stage.ts';

export function fileSuite(stage: Stage): void {
  test('reads a file back, completely and in ranges, also after a restart [FILE-3]', async () => {
    const { file, bytes } = await save(stage, 100_000);
    await stage.reopen();
    expect(await stage.store.files.get(file.id)).toEqual({ ...file, size: 100_000 });
    expect(bytes.equals(await read(stage, file))).toBe(true);
    expect(await read(stage, file, { start: 10, end: 12 })).toEqual(bytes.subarray(10, 13));
    expect(await read(stage, file, { start: 99_999, end: 99_999 })).toEqual(bytes.subarray(-1));
  });

  test('accepts an empty file', async () => {
    const { file } = await save(stage, 0);
    expect(file.size).toBe(0);
    expect(await read(stage, file)).toHaveLength(0);
  });

  test('stores a file under its name in its own folder, readable only by its owner', async () => {
    const { file } = await save(stage);
    const path = await pathOf(stage, file);
    expect(path).toBe(join(stage.data_dir, 'files', file.id.slice(0, 2), file.id, 'notes.txt'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect(await files(stage)).toEqual([path]);
  });

  test('leaves nothing of an interrupted upload, and rejects the save with its error', async () => {
    await expect(
      stage.store.files.save(
        newFile(),
        (async function* () {
          yield Buffer.alloc(1000);
          throw new Error('broke off');
        })(),
      ),
    ).rejects.toThrow('broke off');
    expect(await files(stage)).toEqual([]);
  });

  test.each([
    '\0',
    '..',
    '',
    'a/b',
    'chat-kernel.db',
  ])('uses no id that is not a UUID as a path: %j', async id => {
    expect(await stage.store.files.get(id)).toBeUndefined();
    await expect(stage.store.files.save({ ...newFile(), id }, once(Buffer.alloc(1)))).rejects.toThrow(
      /a UUID/,
    );
  });

  test('returns no bytes of a file whose bytes are missing, and logs it', async () => {
    const { file } = await save(stage);
    await rm(await pathOf(stage, file));
    expect(await stage.store.files.read(file)).toBeUndefined();
    expect(stage.logged.warn).toEqual(['The bytes of a file are missing.']);
  });

  test('removes a file that no message uses after seven days', async () => {
    const unused = await save(stage);
    const used = await save(stage);
    await attach(stage, (await stage.chat()).id, [used.file]);
    await passWeek(stage);
    expect(await stage.store.files.get(unused.file.id)).toBeUndefined();
    expect(await files(stage)).toEqual([await pathOf(stage, used.file)]);
  });

  test('allows sending a file again for seven days after a rewind', async () => {
    const { file } = await save(stage);
    const { id: chatId } = await stage.chat();
    await attach(stage, chatId, [file]);
    stage.clock.time += UNUSED_FILE_LIFETIME_MS * 2;
    expect(await stage.store.messages.rewind(chatId, 1)).toMatchObject({ deleted: 1 });
    stage.clock.pass(60_000);
    await settled(stage);
    expect(await stage.store.files.get(file.id)).toBeDefined();
    await passWeek(stage);
    expect(await stage.store.files.get(file.id)).toBeUndefined();
    expect(await files(stage)).toEqual([]);
  });

  test('deletes the files of a chat that no other chat uses, including those of queued messages', async () => {
    const [own, shared, waiting, free] = [
      await save(stage),
      await save(stage),
      await save(stage),
      await save(stage),
    ];
    const [chat, other] = [await stage.chat(), await stage.chat()];
    await attach(stage, chat.id, [own.file, shared.file]);
    await attach(stage, chat.id, [own.file]);
    await attach(stage, chat.id, [waiting.file], { place: false });
    await attach(stage, other.id, [shared.file]);
    expect(await stage.store.chats.delete(chat.id)).toBe(true);
    const left = await Promise.all([shared, free].map(({ file }) => pathOf(stage, file)));
    expect(await files(stage)).toEqual(left.sort());
    expect(await stage.store.chats.delete(other.id)).toBe(true);
    expect(await files(stage)).toEqual([await pathOf(stage, free.file)]);
  });

  test('does not store a message with a deleted file', async () => {
    const { id: chatId } = await stage.chat();
    await expect(attach(stage, chatId, [{ ...newFile(), size: 1 }])).rejects.toThrow(/There is no file/);
    expect(await stage.store.messages.list(chatId, { limit: 10 })).toEqual([]);
  });

  test('copies a file to a working directory once, separate from the stored file', async () => {
    const { file, bytes } = await save(stage);
    const workdir = join(stage.data_dir, 'work');
    await mkdir(workdir);
    const path = await stage.store.files.copy(file, workdir);
    expect(path).toBe(join(workdir, '.service/files', file.id, 'notes.txt'));
    expect(bytes.equals(await readFile(path))).toBe(true);
    await writeFile(path, bytes.toReversed());
    expect(await stage.store.files.copy(file, workdir)).toBe(path);
    expect(await readFile(path)).toEqual(Buffer.from(bytes.toReversed()));
    expect(bytes.equals(await read(stage, file))).toBe(true);
  });

  test('follows no link out of the working directory for a copy, and creates no working directory', async () => {
    const { file } = await save(stage);
    const [workdir, elsewhere] = [join(stage.data_dir, 'work'), join(stage.data_dir, 'elsewhere')];
    await mkdir(workdir);
    await mkdir(elsewhere);
    await symlink(elsewhere, join(workdir, '.service'));
    await expect(stage.store.files.copy(file, workdir)).rejects.toThrow(/link leads out/);
    expect(await readdir(elsewhere)).toEqual([]);
    await expect(stage.store.files.copy(file, join(workdir, 'gone'))).rejects.toThrow(/ENOENT/);
    await expect(stage.store.files.copy(file, 'work')).rejects.toThrow(/absolute/);
  });

  test('keeps the files of a version until its chat is deleted', async () => {
    const chat = await stage.chat();
    const { file } = await save(stage);
    const { message } = await attach(stage, chat.id, [file]);
    const keep = { id: message.id, summary: null };
    await stage.store.messages.rewind(chat.id, 1, {}, keep);
    stage.clock.pass(2 * UNUSED_FILE_LIFETIME_MS);
    await stage.store.files.forgetUnused();
    expect(await stage.store.files.get(file.id)).toBeDefined();
    await stage.store.versions.activate(chat.id, message.id, NOW);
    expect(await stage.store.files.listUses(file.id)).toEqual([{ chat_id: chat.id, message_id: message.id }]);
    await stage.store.messages.rewind(chat.id, 1, {}, keep);
    await stage.store.chats.delete(chat.id);
    expect(await stage.store.files.get(file.id)).toBeUndefined();
    expect(await stage.store.versions.list(chat.id)).toEqual([]);
    expect(await files(stage)).toEqual([]);
  });
}

const newFile = () => ({
  id: crypto.randomUUID(),
  name: 'notes.txt',
  media_type: 'text/plain',
  created_at: NOW,
});

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function save(stage: Stage, size = 5000) {
  const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
  const file = await stage.store.files.save(newFile(), once(bytes));
  return { file, bytes };
}

/** For files in the data directory. */
const pathOf = async (stage: Stage, file: FileRecord) => String(await stage.store.files.path(file));

function attach(stage: Stage, chatId: string, attached: FileRecord[], place?: { place: boolean }) {
  const content = attached.map((file): StoredBlock => {
    const { id, name, size, media_type } = file;
    return {
      type: 'text',
      text: name,
      internal: { file: { id, name, size, media_type, url: `/files/${id}` } },
    };
  });
  return stage.turn(chatId, { content }, place);
}

async function read(stage: Stage, file: FileRecord, range?: { start: number; end: number }): Promise<Buffer> {
  const bytes = await stage.store.files.read(file, range);
  return bytes ? buffer(bytes) : Buffer.alloc(0);
}

async function passWeek(stage: Stage): Promise<void> {
  stage.clock.pass(UNUSED_FILE_LIFETIME_MS + 1);
  await settled(stage);
}

/** Closes and opens the store: closing waits for the maintenance, so it has run. */
const settled = (stage: Stage) => stage.reopen();

async function files(stage: Stage): Promise<string[]> {
  const found = await readdir(join(stage.data_dir, 'files'), { recursive: true, withFileTypes: true });
  return found
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}
