/** Conversations from elsewhere become chats, each once, with its dates, and with a fork for each branch (FACE-3). */
import type { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import { type ChatRecord, type Clock, type Store, timestamp } from '../ports/index.ts';
import { checkImport } from './check-import.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Known, takeGrowth } from './grown-import.ts';
import { importOf } from './made-import.ts';

/** The kernel that has the chats, where one runs. */
export interface ChatKeeper {
  /** Called with each chat that came. */
  created(chat: ChatRecord): void;
  /** Called where messages were appended to a chat. */
  grown(chat: ChatRecord): void;
  /**
   * Runs work on a chat in which nothing else is under way, with the epoch for its writes.
   * @throws KernelError turn_running, kernel_away
   */
  whileIdle<Result>(chatId: string, work: (epoch: number | undefined) => Promise<Result>): Promise<Result>;
}

/** Where no kernel runs. */
const NOBODY: ChatKeeper = {
  created() {},
  grown() {},
  whileIdle: (_, work) => work(undefined),
};

export class Imports {
  readonly #store: Pick<Store, 'imports' | 'chats' | 'messages' | 'spend'>;
  readonly #clock: Clock;
  readonly #keeper: ChatKeeper;

  constructor(
    store: Pick<Store, 'imports' | 'chats' | 'messages' | 'spend'>,
    clock: Clock,
    keeper: ChatKeeper = NOBODY,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#keeper = keeper;
  }

  /**
   * Stores a conversation with all that belongs to it, or nothing; of one that came before, what it has more.
   * @param dryRun whether to say only what would become of it
   * @throws KernelError invalid_value
   */
  async add(body: ImportChat, { dryRun }: { dryRun: boolean }): Promise<ImportedChat> {
    checkImport(body, timestamp(this.#clock));
    const fingerprint = fingerprintOf(body);
    const record = await this.#store.imports.find(body.source, body.key);
    if (record !== undefined) return this.#again({ body, record, fingerprint }, dryRun);
    if (dryRun) return { status: 'created', chat_id: null, forks: [] };
    const made = importOf(body, fingerprint);
    // Somebody else may import the same at this moment.
    if (!(await this.#store.imports.create(made))) return this.add(body, { dryRun });
    const branches = made.forks.map(({ branch }) => branch);
    for (const chat of [made.chat, ...branches]) this.#keeper.created(chat);
    return { status: 'created', chat_id: made.chat.id, forks: branches.map(({ id }) => id) };
  }

  async #again(known: Known, dryRun: boolean): Promise<ImportedChat> {
    const { record, fingerprint } = known;
    const answer = { chat_id: record.chat_id, forks: [] };
    if (record.fingerprint === fingerprint) return { status: 'known', ...answer };
    return { ...(await takeGrowth(known, dryRun, { store: this.#store, keeper: this.#keeper })), ...answer };
  }
}
