/** Stores chats, with everything that is created and deleted together with them. */
import type { ChatStore } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { retainChatSpend } from '../spend/spend.ts';
import type { StoreHooks } from '../store-hooks.ts';
import type { Folder } from '../tables/schema.ts';
import { deleteChatRow, insertChat, listChats, readChat, updateChat } from './chat-rows.ts';
import { countAll, countGone, countGoneChat } from './counts.ts';
import { leaveFiles } from './files.ts';
import { forkChat } from './forks.ts';
import { leaveImages } from './images.ts';
import { deleteMessages } from './message-writes.ts';
import { writeChat } from './turn-writes.ts';
import { leaveTurns } from './turns.ts';

interface ChatStoreParts {
  bytes: Record<Folder, StoredBytes>;
  /** The id of the kernel that owns the chats it creates; null: no other kernel uses this database. */
  kernel: string | null;
  hooks: readonly StoreHooks[];
}

export function chatStore(
  transactions: Transactions,
  database: Pick<Database, 'search' | 'listed'>,
  { bytes, kernel, hooks }: ChatStoreParts,
): ChatStore {
  const deleteChat = async (id: string): Promise<boolean> => {
    const left = await transactions.within(async db => {
      // Locks the row, so that no image can be added in between.
      if (!(await updateChat(db, id, {}))) return undefined;
      await countGoneChat(db);
      // Done before turns are counted: turns that stay do not count as deleted.
      await leaveTurns(db, id);
      await countGone(db, id);
      await retainChatSpend(db, id);
      for (const hook of hooks) await hook.chatDeleting?.(db, id);
      return {
        images: await leaveImages(db, id),
        files: await leaveFiles(db, id, async () => {
          await deleteMessages(db, id, 1);
          await deleteChatRow(db, id);
        }),
      };
    });
    if (!left) return false;
    await bytes.images.sweep(left.images);
    await bytes.files.sweep(left.files);
    return true;
  };
  return {
    create: chat => transactions.write(db => insertChat(db, chat, kernel)),
    get: id => transactions.read(db => readChat(db, id)),
    list: filter => transactions.read(db => listChats(db, filter)),
    update: (chat, changes) => transactions.write(db => updateChat(db, chat, changes)),
    delete: id => transactions.run(() => deleteChat(id)),
    write: write => transactions.write(db => writeChat(db, write)),
    fork: fork => transactions.write(db => forkChat(db, database, fork)),
    count: () => transactions.read(countAll),
  };
}
