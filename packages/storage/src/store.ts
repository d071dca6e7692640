/** The store on any database: its lifecycle, and a field for each kind of record. */
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import type { ByteBackends } from './bytes/backends.ts';
import type { DiskCache } from './bytes/disk-cache.ts';
import { countInDataDir } from './bytes/locations.ts';
import { StoredBytes } from './bytes/stored-bytes.ts';
import { approvalStore } from './chats/approvals.ts';
import { type BulkChatWriter, bulkChatWriter } from './chats/bulk-chat-writer.ts';
import { chatStore } from './chats/chats.ts';
import { fileStore, type SqlFileStore } from './chats/files.ts';
import { imageStore } from './chats/images.ts';
import { messageStore } from './chats/messages.ts';
import { type SqlTurnStore, turnStore } from './chats/turns.ts';
import { versionStore } from './chats/versions.ts';
import type { Database, SearchIndex } from './database/database.ts';
import { Transactions } from './database/transactions.ts';
import { isUnavailable } from './database/unavailable.ts';
import { moduleStore, signInStore } from './extensions/modules.ts';
import { personStore } from './extensions/persons.ts';
import { triageStore } from './extensions/triage.ts';
import type { SqlFleetStore } from './fleet/fleet.ts';
import { searchStore } from './search/message-search.ts';
import { indexNew } from './search/new-texts.ts';
import { sleepStore } from './sleep/kernel-sleep.ts';
import { spendStore } from './spend/spend.ts';
import { handsStore } from './standby/hands.ts';
import type { StoreHooks } from './store-hooks.ts';
import { writeMeta } from './tables/meta.ts';
import type { Folder } from './tables/schema.ts';
import { onUnreadable, type UnreadableRow } from './tables/unreadable.ts';

const UPKEEP_MS = 60_000;

/** The resources of a store; `close` releases them all. */
interface StoreResources {
  database: Database;
  places: Record<Folder, ByteBackends>;
  cache: DiskCache;
  log: Log;
  clock: Clock;
  hooks: readonly StoreHooks[];
  /** Called last. */
  release: () => void;
  /** Undefined: no other kernel uses the database. */
  fleet?: SqlFleetStore | undefined;
}

export class SqlStore implements Store {
  readonly chats: Store['chats'];
  readonly messages: Store['messages'];
  readonly versions: Store['versions'];
  readonly turns: SqlTurnStore;
  readonly spend: Store['spend'];
  readonly images: Store['images'];
  readonly files: SqlFileStore;
  readonly approvals: Store['approvals'];
  readonly search: Store['search'];
  readonly hands: Store['hands'];
  readonly persons: Store['persons'];
  readonly modules: Store['modules'];
  readonly signIns: Store['signIns'];
  readonly triage: Store['triage'];
  readonly sleep: Store['sleep'];
  readonly fleet: SqlFleetStore | null;
  readonly #resources: StoreResources;
  readonly #transactions: Transactions;
  readonly #bytes: Record<Folder, StoredBytes>;
  readonly #unreadable = new Set<string>();
  readonly #stopReports: () => void;
  #stopUpkeep: () => void = () => {};
  #closed: Promise<void> | undefined;

  constructor(resources: StoreResources) {
    const { database, places, cache, log, clock, hooks } = resources;
    const transactions = new Transactions(database);
    const kernel = resources.fleet?.id ?? null;
    const tools = { db: database.db, write: transactions.within, cache, log, kernel };
    const bytes = {
      images: new StoredBytes(places.images, tools),
      files: new StoredBytes(places.files, tools),
    };
    this.#resources = resources;
    this.#transactions = transactions;
    this.#bytes = bytes;
    this.chats = chatStore(transactions, database, { bytes, kernel, hooks });
    this.messages = messageStore(transactions, clock);
    this.versions = versionStore(transactions);
    this.turns = turnStore(transactions, clock);
    this.spend = spendStore(transactions);
    this.images = imageStore(transactions, bytes.images, log);
    this.files = fileStore(transactions, bytes.files, clock, log);
    this.approvals = approvalStore(transactions);
    this.search = searchStore(transactions, database.search);
    this.hands = handsStore(transactions);
    this.persons = personStore(transactions);
    this.modules = moduleStore(transactions);
    this.signIns = signInStore(transactions);
    this.triage = triageStore(transactions);
    this.sleep = sleepStore(transactions);
    this.fleet = resources.fleet ?? null;
    this.#stopReports = onUnreadable(row => this.#warnOfUnreadable(row));
  }

  /** For the queries of features. A getter, so that it is not listed among the kinds of records. */
  get transactions(): Transactions {
    return this.#transactions;
  }

  /** A getter like `transactions`. */
  get searchIndex(): SearchIndex {
    return this.#resources.database.search;
  }

  /** A getter like `transactions`. */
  get bulkChats(): BulkChatWriter {
    return bulkChatWriter(this.#transactions, this.#resources.database, this.#bytes.images);
  }

  /** Runs before everything else: cleans up after a crash, and starts the regular maintenance. */
  async start(): Promise<void> {
    const sweeping = this.#transactions.run(() => this.#sweep());
    if (this.#resources.places.files.areFar) sweeping.catch(() => {});
    else await sweeping;
    await this.fleet?.removeDead();
    await this.#upkeep();
    if (this.fleet !== null) await this.#warnOfHidden();
  }

  /** Writes, because a read-only disk cannot accept work (SAFE-2). */
  ping: Store['ping'] = () =>
    this.#transactions.run(async () => {
      await this.#resources.database.probe();
      const value = new Date(this.#resources.clock.now()).toISOString();
      await this.#transactions.within(db => writeMeta(db, 'pinged_at', value));
    });

  logSize: Store['logSize'] = () => this.#resources.database.logSize();

  /** May be called again; only the first call has an effect. */
  close: Store['close'] = () => {
    this.#closed ??= this.#close();
    return this.#closed;
  };

  async #upkeep(): Promise<void> {
    if (this.#closed) return;
    const { database, places, log, clock } = this.#resources;
    try {
      await this.turns.forgetKeys();
      await this.files.forgetUnused();
      for (const { upkeep } of this.#resources.hooks) if (upkeep) await this.#transactions.write(upkeep);
      await indexNew(this.#transactions, database.search);
      await this.#transactions.run(() => database.tidy());
    } catch (error) {
      const level = isUnavailable(error) ? 'warn' : 'error';
      if (!this.#closed) log[level]({ error }, 'The upkeep of the database failed.');
    }
    if (this.#closed) return;
    this.#stopUpkeep = clock.after(UPKEEP_MS, () => {
      void this.#upkeep();
      if (places.files.areSeveral) this.#transactions.run(() => this.#sweep()).catch(() => {});
    });
  }

  /** Removes bytes that were left by a crash of any kernel. */
  async #sweep(): Promise<void> {
    for (const bytes of [this.#bytes.images, this.#bytes.files]) {
      await bytes.sweep();
      if (this.#resources.places.files.areSeveral) await bytes.sweepCopies();
    }
  }

  /** Warns if other kernels cannot read bytes that this one has stored. */
  async #warnOfHidden(): Promise<void> {
    const { places, log } = this.#resources;
    if (places.files.current === 'data_dir') return;
    const [images, files] = await this.#transactions.read(async db => [
      await countInDataDir(db, 'images'),
      await countInDataDir(db, 'files'),
    ]);
    if (images + files === 0) return;
    log.warn(
      { images, files },
      'Some files and images lie in the data directory of one kernel, and no other can read them: ' +
        'stop all, and run `chat-kernel files move` there.',
    );
  }

  /** Warns once per row. */
  #warnOfUnreadable({ table, id }: UnreadableRow): void {
    const key = `${table} ${id}`;
    if (this.#unreadable.has(key)) return;
    this.#unreadable.add(key);
    this.#resources.log.warn(
      { table, id, unreadable_rows: this.#unreadable.size },
      'A damaged row of the database cannot be read; `chat-kernel doctor` counts all of them.',
    );
  }

  async #close(): Promise<void> {
    this.#stopReports();
    this.#stopUpkeep();
    await this.#transactions.close();
    try {
      await this.#resources.database.close();
    } finally {
      this.#resources.release();
    }
  }
}
