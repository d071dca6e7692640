/** Stores chats, with everything that is created and deleted together with them. */
import type { ChatStore } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { retainChatSpend } from '../spend/spend.ts';
import type { StoreHooks } from '../store-hooks.ts';
import type { Folder } from '../tables/schema.ts';
import { listChats, readChat, updateChat } from './chat-records.ts';
import { deleteChatRow, insertChat } from './chat-rows.ts';
import { writeChat } from './chat-write.ts';
import { countAll, countGone, countGoneChat } from './counts.ts';
import { leaveFiles } from './files.ts';
import { forkChat } from './forks.ts';
import { leaveImages } from './images.ts';
import { leaveTurns } from './turns.ts';

interface ChatStoreParts {
  bytes: Record<Folder, StoredBytes>;
  /** The id of the kernel that owns the chats it creates; null: no other kernel uses this database. */
  kernel: string | null;
  hooks: readonly StoreHooks[];
}

export class SqlChatStore implements ChatStore {
  readonly #transactions: Transactions;
  readonly #database: Pick<Database, 'search' | 'listed'>;
  readonly #bytes: Record<Folder, StoredBytes>;
  readonly #owner: string | null;
  readonly #hooks: readonly StoreHooks[];

  constructor(
    transactions: Transactions,
    database: Pick<Database, 'search' | 'listed'>,
    { bytes, kernel, hooks }: ChatStoreParts,
  ) {
    this.#owner = kernel;
    this.#transactions = transactions;
    this.#database = database;
    this.#bytes = bytes;
    this.#hooks = hooks;
  }

  create: ChatStore['create'] = chat => this.#transactions.write(db => insertChat(db, chat, this.#owner));

  get: ChatStore['get'] = id => this.#transactions.read(db => readChat(db, id));

  list: ChatStore['list'] = filter => this.#transactions.read(db => listChats(db, filter));

  update: ChatStore['update'] = (chat, changes) =>
    this.#transactions.write(db => updateChat(db, chat, changes));

  delete: ChatStore['delete'] = id => this.#transactions.run(() => this.#delete(id));

  write: ChatStore['write'] = write =>
    this.#transactions.write(db => writeChat(db, this.#database.search, write));

  fork: ChatStore['fork'] = fork => this.#transactions.write(db => forkChat(db, this.#database, fork));

  count: ChatStore['count'] = () => this.#transactions.read(countAll);

  async #delete(id: string): Promise<boolean> {
    const left = await this.#transactions.within(async db => {
      // Locks the row, so that no image can be added in between.
      if (!(await updateChat(db, id, {}))) return undefined;
      await countGoneChat(db);
      // Done before turns are counted: turns that stay do not count as deleted.
      await leaveTurns(db, id);
      await countGone(db, id);
      await retainChatSpend(db, id);
      for (const hooks of this.#hooks) await hooks.chatDeleting?.(db, id);
      return {
        images: await leaveImages(db, id),
        files: await leaveFiles(db, id, () => deleteChatRow(db, id)),
      };
    });
    if (!left) return false;
    await this.#bytes.images.sweep(left.images);
    await this.#bytes.files.sweep(left.files);
    return true;
  }
}
