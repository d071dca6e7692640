/** Imports each conversation once as a chat, with its dates, and with a fork for each branch (FACE-3). */
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Clock, SLICE, timestamp } from '@chat-kernel/kernel';
import type { ImportChat, ImportedChat } from '@chat-kernel/protocol';
import type { SqlStore } from '@chat-kernel/storage';
import { appendImport, type ImportStores, type Known } from './append-import.ts';
import { buildImport } from './build-import.ts';
import { checkImport } from './check-import.ts';
import { computeFingerprint } from './fingerprint.ts';
import { type ImportHost, offlineHost } from './import-host.ts';
import { ImportStore } from './store.ts';

export class Imports {
  readonly #stores: ImportStores;
  readonly #clock: Clock;
  readonly #host: ImportHost;

  constructor(stores: ImportStores, clock: Clock, host: ImportHost) {
    this.#stores = stores;
    this.#clock = clock;
    this.#host = host;
  }

  /**
   * Stores a conversation completely or not at all. If it was imported before, stores only the new messages.
   * @param dryRun whether to only report the outcome
   * @throws KernelError invalid_value
   */
  async add(body: ImportChat, { dryRun }: { dryRun: boolean }): Promise<ImportedChat> {
    // The server has just parsed a large body, so other work runs first.
    if (body.messages.length > SLICE) await nextTick();
    checkImport(body, timestamp(this.#clock));
    const fingerprint = await computeFingerprint(body);
    const record = await this.#stores.imports.find(body.source, body.key);
    if (record !== undefined) return this.#again({ body, record, fingerprint }, dryRun);
    if (dryRun) return { status: 'created', chat_id: null, forks: [] };
    const made = await buildImport(body, fingerprint);
    // Another request may import the same conversation at this moment.
    if (!(await this.#stores.imports.create(made))) return this.add(body, { dryRun });
    const branches = made.forks.map(({ branch }) => branch);
    for (const chat of [made.chat, ...branches]) this.#host.events.chatCreated(chat);
    return { status: 'created', chat_id: made.chat.id, forks: branches.map(({ id }) => id) };
  }

  async #again(known: Known, dryRun: boolean): Promise<ImportedChat> {
    const { record, fingerprint } = known;
    const answer = { chat_id: record.chat_id, forks: [] };
    if (record.fingerprint === fingerprint) return { status: 'known', ...answer };
    return { ...(await appendImport(known, dryRun, { stores: this.#stores, host: this.#host })), ...answer };
  }
}

/** Imports into a store that no kernel uses. */
export const offlineImports = (
  { transactions, bulkChats, chats, messages, spend }: SqlStore,
  clock: Clock,
): Imports =>
  new Imports(
    { imports: new ImportStore(transactions, bulkChats), chats, messages, spend },
    clock,
    offlineHost,
  );
