/** Imports each conversation once as a chat, with its dates, and with a fork for each branch (FACE-3). */
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Clock, SLICE, timestamp } from '@chat-kernel/kernel';
import { type ImportChat, type ImportedChat, type ImportMessage, KernelError } from '@chat-kernel/protocol';
import type { SqlStore } from '@chat-kernel/storage';
import { appendImport, type ImportStores, type Known } from './append-import.ts';
import { buildImport } from './build-import.ts';
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

/** Tolerates different clocks; a chat of next year would be first in every list until then. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Checks what the schema of an import cannot: positions refer to existing messages, and times are not in the future.
 * @param now RFC 3339
 * @throws KernelError invalid_value, with the location of the mistake
 */
function checkImport(body: ImportChat, now: string): void {
  const latest = Date.parse(now) + AHEAD_MS;
  checkTime(body.created_at, '/created_at', latest);
  const { messages, branches = [], summary } = body;
  checkMessages(messages, '/messages', latest);
  if (summary && summary.upto >= messages.length)
    throw wrong('/summary/upto', 'There is no message at this position.');
  const lengths = [messages.length];
  for (const [index, { of, before, messages: own }] of branches.entries()) {
    const pointer = `/branches/${index}`;
    const length = lengths[of];
    if (length === undefined) throw wrong(`${pointer}/of`, 'The list has no such branch before this one.');
    if (before >= length) throw wrong(`${pointer}/before`, 'There is no message at this position.');
    checkMessages(own, `${pointer}/messages`, latest);
    lengths.push(before + own.length);
  }
}

function checkMessages(messages: readonly ImportMessage[], pointer: string, latest: number): void {
  for (const [index, { created_at, content }] of messages.entries()) {
    checkTime(created_at, `${pointer}/${index}/created_at`, latest);
    for (const [n, block] of content.entries())
      if (block.type === 'fold' && block.upto >= index)
        throw wrong(
          `${pointer}/${index}/content/${n}/upto`,
          'A summary must follow the messages that it covers.',
        );
  }
}

function checkTime(time: string, pointer: string, latest: number): void {
  const msecs = Date.parse(time);
  if (msecs < 0) throw wrong(pointer, 'The time is before 1970.');
  if (msecs > latest) throw wrong(pointer, 'The time is in the future.');
}

const wrong = (pointer: string, detail: string) =>
  new KernelError('invalid_value', `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });
