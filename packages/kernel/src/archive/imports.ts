/** Conversations from elsewhere become chats, each once, with its dates, and with a fork for each branch (FACE-3). */
import type { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import { type Clock, type Store, timestamp } from '../ports/index.ts';
import { type ChatKeeper, NOBODY } from './chat-keeper.ts';
import { checkImport } from './check-import.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Known, takeGrowth } from './grown-import.ts';
import { importOf } from './made-import.ts';

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
