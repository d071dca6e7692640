/** Images: each of one chat, and gone with it. */
import type { ImageRecord } from '@chat-kernel/kernel';
import { keepBytes, leaveBytes, type Place } from './bytes.ts';
import { takePositions } from './chats.ts';
import type { Db } from './schema.ts';

/** Throws where the chat is gone or the image exists; then nothing of the new one stays. */
export function saveImage(place: Place, image: ImageRecord, bytes: Uint8Array): Promise<void> {
  return keepBytes(place, {
    id: image.id,
    bytes,
    exists: async db => (await readImage(db, image.id)) !== undefined,
    async insert(db) {
      await takePositions(db, image.chat_id, 0);
      await db.insertInto('images').values(image).execute();
    },
  });
}

export function readImage(db: Db, id: string): Promise<ImageRecord | undefined> {
  return db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Turns the images of a chat into leftovers, for the transaction that deletes the chat; answers their ids. */
export async function leaveImages(db: Db, chatId: string): Promise<string[]> {
  const rows = await db.deleteFrom('images').where('chat_id', '=', chatId).returning('id').execute();
  const ids = rows.map(row => row.id);
  await leaveBytes(db, 'images', ids);
  return ids;
}
