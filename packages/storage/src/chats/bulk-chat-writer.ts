/**
 * Stores complete chats from other sources, with their messages, forks and images. Features call it in their own
 * transactions.
 */
import type {
  ChatChanges,
  ChatFork,
  ChatRecord,
  ChatRef,
  ImageRecord,
  NewMessage,
  SpendRow,
} from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { recordSpend } from '../spend/spend.ts';
import type { Db } from '../tables/schema.ts';
import { idOf, insertChat, takePositions } from './chat-rows.ts';
import { forkChat } from './forks.ts';
import { insertImage } from './images.ts';
import { insertMessages } from './message-writes.ts';

interface AppendedMessages {
  messages: readonly NewMessage[];
  spend: readonly SpendRow[];
  changes?: ChatChanges;
}

export interface NewImage {
  record: ImageRecord;
  bytes: Uint8Array;
}

export type BulkChatWriter = ReturnType<typeof bulkChatWriter>;

export const bulkChatWriter = (
  transactions: Transactions,
  database: Pick<Database, 'search' | 'listed'>,
  images: StoredBytes,
) => ({
  insert: (db: Db, chat: ChatRecord): Promise<void> => insertChat(db, chat),

  /** Returns the position of the first message. Throws if there is no such chat, and Fenced like `takePositions`. */
  async append(db: Db, chat: ChatRef, { messages, spend, changes = {} }: AppendedMessages): Promise<number> {
    const first = await takePositions(db, chat, messages.length, changes);
    await insertMessages(db, messages, first, database.search);
    for (const row of spend) await recordSpend(db, idOf(chat), row);
    return first;
  },

  /** Creates a fork, which uses all current images of its parent. */
  async fork(db: Db, fork: ChatFork): Promise<void> {
    await forkChat(db, database, fork);
  },

  /** @param added all or some of those passed to `writeWithImages` */
  async insertImages(db: Db, added: readonly NewImage[]): Promise<void> {
    for (const { record } of added) await insertImage(db, record);
  },

  /** Stores the bytes, then runs a transaction that inserts the images. If it fails, nothing remains. */
  writeWithImages(added: readonly NewImage[], work: (db: Db) => Promise<void>): Promise<void> {
    return transactions.run(async () => {
      const ids = added.map(({ record }) => record.id);
      try {
        for (const { record, bytes } of added) await images.stage(record.id, bytes);
        await transactions.within(async db => {
          await work(db);
          for (const id of ids) await images.adopt(db, id);
        });
      } finally {
        // Deletes bytes that got no row.
        await images.sweep(ids);
      }
    });
  },
});
