/** Conversations from elsewhere become chats, each once, with its dates, and with a fork for each branch (FACE-3). */
import { createHash } from 'node:crypto';
import type { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import { type ChatRecord, type Clock, type Store, timestamp } from '../ports/index.ts';
import { checkImport } from './check-import.ts';
import { importOf } from './made-import.ts';

export class Imports {
  readonly #store: Pick<Store, 'imports' | 'chats'>;
  readonly #clock: Clock;
  readonly #told: (chat: ChatRecord) => void;

  /** @param told called with each chat that came */
  constructor(
    store: Pick<Store, 'imports' | 'chats'>,
    clock: Clock,
    told: (chat: ChatRecord) => void = () => {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#told = told;
  }

  /**
   * Stores a conversation with all that belongs to it, or nothing.
   * @param dryRun whether to say only what would become of it
   * @throws KernelError invalid_value
   */
  async add(body: ImportChat, { dryRun }: { dryRun: boolean }): Promise<ImportedChat> {
    checkImport(body, timestamp(this.#clock));
    const fingerprint = fingerprintOf(body);
    const before = await this.#known(body, fingerprint);
    if (before !== undefined) return before;
    if (dryRun) return { status: 'created', chat_id: null, forks: [] };
    const made = importOf(body, fingerprint);
    // Somebody else may import the same at this moment.
    if (!(await this.#store.imports.create(made))) return this.add(body, { dryRun });
    const branches = made.forks.map(({ branch }) => branch);
    for (const chat of [made.chat, ...branches]) this.#told(chat);
    return { status: 'created', chat_id: made.chat.id, forks: branches.map(({ id }) => id) };
  }

  async #known({ source, key }: ImportChat, fingerprint: string): Promise<ImportedChat | undefined> {
    const record = await this.#store.imports.find(source, key);
    if (record === undefined) return undefined;
    const status = record.fingerprint === fingerprint ? 'known' : 'changed';
    return { status, chat_id: record.chat_id, forks: [] };
  }
}

/** The same for the same conversation, wherever it is put. */
function fingerprintOf({ messages, branches = [] }: ImportChat): string {
  return createHash('sha256')
    .update(JSON.stringify([messages, branches]))
    .digest('hex');
}
