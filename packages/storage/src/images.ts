/**
 * Images: a row in the database, bytes in a file. A file that no row needs is named in `image_leftovers`
 * before it exists and until it is gone; so whatever a crash leaves is found at the next start without
 * looking through any folder, and files of another database in the same place are never touched.
 */
import type { ImageRecord, Log } from '@chat-kernel/kernel';
import { takePositions } from './chats.ts';
import { type ImageFiles, isImageId } from './image-files.ts';
import type { Db } from './schema.ts';

/** Runs its callback in a transaction. */
type Write = <Answer>(work: (db: Db) => Promise<Answer>) => Promise<Answer>;

/** Throws where the chat is gone or the image exists; then nothing of the new one stays. */
export async function saveImage(
  write: Write,
  files: ImageFiles,
  log: Log,
  image: ImageRecord,
  bytes: Uint8Array,
): Promise<void> {
  const { id } = image;
  if (!isImageId(id)) throw new Error('An image id must be a UUID in lower case.');
  await write(async db => {
    if (await readImage(db, id)) throw new Error(`There is an image ${id} already.`);
    await db.insertInto('image_leftovers').values({ id }).execute();
  });
  try {
    await files.write(id, bytes);
    await write(async db => {
      await takePositions(db, image.chat_id, 0);
      await db.insertInto('images').values(image).execute();
      await db.deleteFrom('image_leftovers').where('id', '=', id).execute();
    });
  } catch (error) {
    await sweepImages(write, files, log, [id]);
    throw error;
  }
}

export function readImage(db: Db, id: string): Promise<ImageRecord | undefined> {
  return db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Turns the images of a chat into leftovers, for the transaction that deletes the chat; answers their ids. */
export async function leaveImages(db: Db, chatId: string): Promise<string[]> {
  const rows = await db.deleteFrom('images').where('chat_id', '=', chatId).returning('id').execute();
  for (const { id } of rows) await db.insertInto('image_leftovers').values({ id }).execute();
  return rows.map(row => row.id);
}

/**
 * Removes the files of those of these images that are leftovers; without `ids`, of all leftovers, which is
 * for the start alone: the files that are just being written are among them. A file that can't be removed
 * is left to the next start.
 */
export async function sweepImages(write: Write, files: ImageFiles, log: Log, ids?: string[]): Promise<void> {
  for (const id of ids ?? (await write(leftovers))) {
    try {
      if (!(await write(db => isLeftover(db, id)))) continue;
      await files.remove(id);
      await write(db => db.deleteFrom('image_leftovers').where('id', '=', id).execute());
    } catch (error) {
      log.warn({ image_id: id, error }, 'The file of a deleted image could not be removed.');
    }
  }
}

async function leftovers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('image_leftovers').select('id').execute();
  return rows.map(row => row.id);
}

async function isLeftover(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('image_leftovers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
