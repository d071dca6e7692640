/** Chats, with everything that comes and goes with them. */
import type { ChatStore } from '@chat-kernel/kernel';
import type { StoredBytes } from '../bytes/stored-bytes.ts';
import type { Database } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { keepRunsOf } from '../schedules/runs.ts';
import { disableSchedulesOf } from '../schedules/schedules.ts';
import { keepSpendOf } from '../spend/spend.ts';
import type { Folder } from '../tables/schema.ts';
import { deleteChatRow, insertChat, listChats, readChat, updateChat } from './chat-rows.ts';
import { writeChat } from './chat-write.ts';
import { countAll, countGone } from './counts.ts';
import { leaveFiles } from './files.ts';
import { forkChat } from './forks.ts';
import { leaveImages } from './images.ts';

export class SqlChatStore implements ChatStore {
  readonly #transactions: Transactions;
  readonly #database: Pick<Database, 'search' | 'listed'>;
  readonly #bytes: Record<Folder, StoredBytes>;
  readonly #owner: string | null;

  /** @param owner the id of the kernel, whose the chats are that it makes; null: no other kernel has this database */
  constructor(
    transactions: Transactions,
    database: Pick<Database, 'search' | 'listed'>,
    bytes: Record<Folder, StoredBytes>,
    owner: string | null,
  ) {
    this.#owner = owner;
    this.#transactions = transactions;
    this.#database = database;
    this.#bytes = bytes;
  }

  create: ChatStore['create'] = chat => this.#transactions.write(db => insertChat(db, chat, this.#owner));

  get: ChatStore['get'] = id => this.#transactions.read(db => readChat(db, id));

  list: ChatStore['list'] = filter => this.#transactions.read(db => listChats(db, filter));

  update: ChatStore['update'] = (id, changes, epoch) =>
    this.#transactions.write(db => updateChat(db, id, changes, epoch));

  delete: ChatStore['delete'] = id => this.#transactions.run(() => this.#delete(id));

  write: ChatStore['write'] = write =>
    this.#transactions.write(db => writeChat(db, this.#database.search, write));

  fork: ChatStore['fork'] = fork => this.#transactions.write(db => forkChat(db, this.#database, fork));

  count: ChatStore['count'] = () => this.#transactions.read(countAll);

  async #delete(id: string): Promise<boolean> {
    const left = await this.#transactions.within(async db => {
      // Takes the row's lock, so that no image comes between.
      if (!(await updateChat(db, id, {}))) return undefined;
      await countGone(db, id);
      await keepSpendOf(db, id);
      await keepRunsOf(db, id);
      await disableSchedulesOf(db, id);
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
