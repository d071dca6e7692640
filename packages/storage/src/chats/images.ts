/** Stores images: each belongs to a chat and its branches, and is deleted with the last chat that uses it. */
import type { ImageRecord, ImageStore, Log } from '@chat-kernel/kernel';
import { isByteId } from '../bytes/byte-files.ts';
import { leaveBytes } from '../bytes/locations.ts';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { takePositions } from './chat-rows.ts';

export const imageStore = (transactions: Transactions, stored: StoredBytes, log: Log): ImageStore => ({
  save: (image, bytes) =>
    transactions.run(() =>
      stored.keep({
        id: image.id,
        bytes,
        exists: async db => (await readImage(db, image.id)) !== undefined,
        insert: db => insertImage(db, image),
      }),
    ),

  get: id =>
    transactions.read(async db => {
      const image = isByteId(id) ? await readImage(db, id) : undefined;
      if (!image) return undefined;
      const bytes = await stored.read(id);
      if (bytes) return { ...image, bytes };
      log.warn({ image_id: id }, 'The file of an image is missing.');
      return undefined;
    }),
});

/** Throws if the chat was deleted. */
export async function insertImage(db: Db, image: ImageRecord): Promise<void> {
  await takePositions(db, image.chat_id, 0);
  await db.insertInto('images').values(image).execute();
  await db.insertInto('image_uses').values({ chat_id: image.chat_id, image_id: image.id }).execute();
}

function readImage(db: Db, id: string): Promise<ImageRecord | undefined> {
  return db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Copies image uses for a fork: the branch uses all images of its parent. */
export async function copyImageUses(db: Db, parentId: string, branchId: string): Promise<void> {
  await db
    .insertInto('image_uses')
    .columns(['chat_id', 'image_id'])
    .expression(
      db
        .selectFrom('image_uses')
        .select(({ val }) => [val(branchId).as('chat_id'), 'image_id'])
        .where('chat_id', '=', parentId),
    )
    .execute();
}

/**
 * Called in the transaction that deletes a chat: its images that no other chat uses become leftovers. Returns their
 * ids.
 */
export async function leaveImages(db: Db, chatId: string): Promise<string[]> {
  const uses = await db
    .deleteFrom('image_uses')
    .where('chat_id', '=', chatId)
    .returning('image_id')
    .execute();
  const gone: string[] = [];
  // Always in the same order, so that two transactions cannot deadlock.
  for (const id of uses.map(use => use.image_id).sort()) {
    if (await deleteUnused(db, id)) gone.push(id);
  }
  await leaveBytes(db, 'images', gone);
  return gone;
}

/** Returns false if a chat uses it. */
async function deleteUnused(db: Db, id: string): Promise<boolean> {
  // Locks the row, so that of two concurrent chat deletions the second one sees the first.
  await db
    .updateTable('images')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .execute();
  const { numDeletedRows } = await db
    .deleteFrom('images')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('image_uses').select('image_id').where('image_id', '=', id))),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
