/** Images: each came with a chat, is used by its branches too, and goes with the last chat that uses it. */
import type { ImageRecord, ImageStore, Log } from '@chat-kernel/kernel';
import { isByteId } from '../bytes/byte-files.ts';
import { leaveBytes } from '../bytes/leftovers.ts';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { takePositions } from './chat-rows.ts';

export class SqlImageStore implements ImageStore {
  readonly #transactions: Transactions;
  readonly #bytes: StoredBytes;
  readonly #log: Log;

  constructor(transactions: Transactions, bytes: StoredBytes, log: Log) {
    this.#transactions = transactions;
    this.#bytes = bytes;
    this.#log = log;
  }

  save: ImageStore['save'] = (image, bytes) =>
    this.#transactions.run(() =>
      this.#bytes.keep({
        id: image.id,
        bytes,
        exists: async db => (await readImage(db, image.id)) !== undefined,
        insert: db => insertImage(db, image),
      }),
    );

  get: ImageStore['get'] = id =>
    this.#transactions.read(async db => {
      const image = isByteId(id) ? await readImage(db, id) : undefined;
      if (!image) return undefined;
      const bytes = await this.#bytes.read(id);
      if (bytes) return { ...image, bytes };
      this.#log.warn({ image_id: id }, 'The file of an image is missing.');
      return undefined;
    });
}

/** Throws where the chat is gone. */
export async function insertImage(db: Db, image: ImageRecord): Promise<void> {
  await takePositions(db, image.chat_id, 0);
  await db.insertInto('images').values(image).execute();
  await db.insertInto('image_uses').values({ chat_id: image.chat_id, image_id: image.id }).execute();
}

function readImage(db: Db, id: string): Promise<ImageRecord | undefined> {
  return db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
}

/** For a fork: the branch uses all that its parent does. */
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
 * For the transaction that deletes a chat: those of its images that no other chat uses become leftovers. Returns
 * their ids.
 */
export async function leaveImages(db: Db, chatId: string): Promise<string[]> {
  const uses = await db
    .deleteFrom('image_uses')
    .where('chat_id', '=', chatId)
    .returning('image_id')
    .execute();
  const gone: string[] = [];
  // Always in the same order, so that two that lock rows don't wait for each other.
  for (const id of uses.map(use => use.image_id).sort()) {
    if (await deleteUnused(db, id)) gone.push(id);
  }
  await leaveBytes(db, 'images', gone);
  return gone;
}

/** False where a chat uses it. */
async function deleteUnused(db: Db, id: string): Promise<boolean> {
  // Takes the row's lock, so that of two chats that go at the same time the second one knows of the first.
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
