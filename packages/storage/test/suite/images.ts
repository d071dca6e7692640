/** Tests images: their rows on each database, their bytes on a real disk. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ByteFiles } from '../../src/bytes/byte-files.ts';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function imageSuite(stage: Stage): void {
  test('reads an image back byte by byte, also after a restart [IMG-2]', async () => {
    const { image, bytes } = await save(stage);
    expect(await read(stage, image.id)).toEqual({ ...image, bytes });
    await stage.reopen();
    expect(await read(stage, image.id)).toEqual({ ...image, bytes });
  });

  test('stores the file under the first two characters of its id, readable only by its owner', async () => {
    const { image, path } = await save(stage);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect(await files(stage)).toEqual([`${image.id.slice(0, 2)}/${image.id}`]);
  });

  test.each([
    '\0',
    '../../chat-kernel.db',
    '..',
    '',
    'a/b',
    `${crypto.randomUUID()}/../x`,
  ])('uses no id that is not a UUID as a path: %j', async id => {
    const { chat } = await stage.history(0);
    const image = { id, chat_id: chat.id, media_type: 'image/png', created_at: NOW };
    await expect(stage.store.images.save(image, new Uint8Array(1))).rejects.toThrow(/must be a UUID/);
    expect(await stage.store.images.get(id)).toBeUndefined();
    await expect(new ByteFiles(stage.data_dir).read(id)).rejects.toThrow(/must be a UUID/);
  });

  test('leaves no file of an image that cannot be stored', async () => {
    await expect(save(stage, nextId())).rejects.toThrow(/There is no chat/);
    expect(await files(stage)).toEqual([]);
  });

  test('rejects a second image with the same id, and keeps the first complete', async () => {
    const { image, bytes } = await save(stage);
    await expect(stage.store.images.save(image, new Uint8Array([9]))).rejects.toThrow(/already/);
    expect(await read(stage, image.id)).toEqual({ ...image, bytes });
  });

  test('returns no image whose file is missing, and logs it', async () => {
    const { image, path } = await save(stage);
    await rm(path);
    expect(await stage.store.images.get(image.id)).toBeUndefined();
    expect(stage.logged.warn).toEqual(['The file of an image is missing.']);
  });

  test('removes a file at the next start if it could not be removed with its chat', async () => {
    const { image, path } = await save(stage);
    const kept = await save(stage);
    // Removing a file fails on a folder with content, even as root.
    await mkdir(`${path}.part/in the way`, { recursive: true });
    expect(await stage.store.chats.delete(image.chat_id)).toBe(true);
    expect(stage.logged.warn).toEqual(['Stored bytes that nothing needs could not be removed.']);
    await rm(`${path}.part`, { recursive: true });
    await writeFile(path, 'bytes');
    await writeFile(`${path}.part`, 'byt');
    await stage.reopen();
    expect(await files(stage)).toEqual([`${kept.image.id.slice(0, 2)}/${kept.image.id}`]);
  });

  test('keeps files that the database does not know, because they may belong to another one', async () => {
    const { path } = await save(stage);
    const stranger = join(path, '..', crypto.randomUUID());
    await writeFile(stranger, 'bytes');
    await stage.reopen();
    expect(await files(stage)).toHaveLength(2);
  });
}

async function save(stage: Stage, chat_id?: string) {
  const image = {
    id: crypto.randomUUID(),
    chat_id: chat_id ?? (await stage.chat()).id,
    media_type: 'image/png',
    created_at: NOW,
  };
  const bytes = crypto.getRandomValues(new Uint8Array(5000));
  await stage.store.images.save(image, bytes);
  return { image, bytes, path: join(stage.data_dir, 'images', image.id.slice(0, 2), image.id) };
}

/** Reads an image with its bytes as a plain Uint8Array, to compare. */
async function read(stage: Stage, id: string) {
  const image = await stage.store.images.get(id);
  return image && { ...image, bytes: new Uint8Array(image.bytes) };
}

async function files(stage: Stage): Promise<string[]> {
  const found = await readdir(join(stage.data_dir, 'images'), { recursive: true });
  return found.filter(file => file.includes('/')).sort();
}
