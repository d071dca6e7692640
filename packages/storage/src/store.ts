/** The store over whichever database was opened: its life, and a field for each noun. */
import type { Clock, Log, Store } from '@chat-kernel/kernel';
import { SqlBookStore } from './books/books.ts';
import type { DiskCache } from './bytes/disk-cache.ts';
import type { BytePlaces } from './bytes/places.ts';
import { StoredBytes } from './bytes/stored-bytes.ts';
import { countInDataDir } from './bytes/where.ts';
import { SqlApprovalStore } from './chats/approvals.ts';
import { SqlChatStore } from './chats/chats.ts';
import { SqlFileStore } from './chats/files.ts';
import { SqlImageStore } from './chats/images.ts';
import { SqlMessageStore } from './chats/messages.ts';
import { SqlTurnStore } from './chats/turns.ts';
import type { Database } from './database/database.ts';
import { Transactions } from './database/transactions.ts';
import { isUnavailable } from './database/unavailable.ts';
import { SqlModuleStore } from './extensions/modules.ts';
import { SqlPersonStore } from './extensions/persons.ts';
import { SqlSignInStore } from './extensions/sign-ins.ts';
import { SqlTriageStore } from './extensions/triage.ts';
import type { SqlFleetStore } from './fleet/fleet.ts';
import { SqlImportStore } from './imports/imports.ts';
import { SqlMemoryStore } from './memory/memory.ts';
import { SqlPushSubscriptionStore } from './push/push-subscriptions.ts';
import { SqlScheduleStore } from './schedules/schedules.ts';
import { SqlSearchStore } from './search/search.ts';
import { SqlSleepStore } from './sleep/kernel-sleep.ts';
import { SqlSpendStore } from './spend/spend.ts';
import { SqlHandsStore } from './standby/hands.ts';
import type { Folder } from './tables/schema.ts';
import { SqlSubscriptionStore } from './videos/subscriptions.ts';
import { SqlVideoStore } from './videos/videos.ts';

const UPKEEP_MS = 60_000;

/** The resources of a store; `close` gives them all back. */
interface StoreResources {
  database: Database;
  places: Record<Folder, BytePlaces>;
  cache: DiskCache;
  log: Log;
  clock: Clock;
  /** Called last. */
  release: () => void;
  /** Undefined: no other kernel has the database. */
  fleet?: SqlFleetStore | undefined;
}

export class SqlStore implements Store {
  readonly chats: SqlChatStore;
  readonly messages: SqlMessageStore;
  readonly turns: SqlTurnStore;
  readonly spend: SqlSpendStore;
  readonly images: SqlImageStore;
  readonly imports: SqlImportStore;
  readonly files: SqlFileStore;
  readonly approvals: SqlApprovalStore;
  readonly search: SqlSearchStore;
  readonly books: SqlBookStore;
  readonly videos: SqlVideoStore;
  readonly subscriptions: SqlSubscriptionStore;
  readonly pushSubscriptions: SqlPushSubscriptionStore;
  readonly memory: SqlMemoryStore;
  readonly hands: SqlHandsStore;
  readonly persons: SqlPersonStore;
  readonly schedules: SqlScheduleStore;
  readonly modules: SqlModuleStore;
  readonly signIns: SqlSignInStore;
  readonly triage: SqlTriageStore;
  readonly sleep: SqlSleepStore;
  readonly fleet: SqlFleetStore | null;
  readonly #resources: StoreResources;
  readonly #transactions: Transactions;
  readonly #bytes: Record<Folder, StoredBytes>;
  #stopUpkeep: () => void = () => {};
  #closed: Promise<void> | undefined;

  constructor(resources: StoreResources) {
    const { database, places, cache, log, clock } = resources;
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
    this.chats = new SqlChatStore(transactions, database, bytes, kernel);
    this.messages = new SqlMessageStore(transactions, clock);
    this.turns = new SqlTurnStore(transactions, clock);
    this.spend = new SqlSpendStore(transactions);
    this.images = new SqlImageStore(transactions, bytes.images, log);
    this.imports = new SqlImportStore(transactions, database, bytes.images);
    this.files = new SqlFileStore(transactions, bytes.files, clock, log);
    this.approvals = new SqlApprovalStore(transactions);
    this.search = new SqlSearchStore(transactions, database.search);
    this.books = new SqlBookStore(transactions, database.search, log);
    this.videos = new SqlVideoStore(transactions);
    this.subscriptions = new SqlSubscriptionStore(transactions);
    this.hands = new SqlHandsStore(transactions);
    this.pushSubscriptions = new SqlPushSubscriptionStore(transactions);
    this.memory = new SqlMemoryStore(transactions);
    this.persons = new SqlPersonStore(transactions);
    this.schedules = new SqlScheduleStore(transactions);
    this.modules = new SqlModuleStore(transactions);
    this.signIns = new SqlSignInStore(transactions);
    this.triage = new SqlTriageStore(transactions);
    this.sleep = new SqlSleepStore(transactions);
    this.fleet = resources.fleet ?? null;
  }

  /** Runs before anything else: clears what a crash left behind, and goes on to tidy up now and then. */
  async start(): Promise<void> {
    const sweeping = this.#transactions.run(() => this.#sweep());
    if (this.#resources.places.files.areFar) sweeping.catch(() => {});
    else await sweeping;
    // What another kernel is just writing looks like what a crash left.
    if (this.fleet === null || (await this.fleet.isAlone())) await this.books.recover();
    await this.#upkeep();
    if (this.fleet !== null) await this.#warnOfHidden();
  }

  /** Writes, for a disk that can only be read takes no work (SAFE-2). */
  ping: Store['ping'] = () =>
    this.#transactions.run(async () => {
      await this.#resources.database.probe();
      const value = new Date(this.#resources.clock.now()).toISOString();
      await this.#transactions.within(db =>
        db
          .insertInto('meta')
          .values({ key: 'pinged_at', value })
          .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
          .execute(),
      );
    });

  /** May be called again; the first call counts. */
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
      await this.schedules.forgetOldRuns();
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

  /** Removes the bytes that a crash, of whichever kernel, has left. */
  async #sweep(): Promise<void> {
    for (const bytes of [this.#bytes.images, this.#bytes.files]) {
      await bytes.sweep();
      if (this.#resources.places.files.areSeveral) await bytes.sweepCopies();
    }
  }

  /** Says it where others cannot read what one kernel once stored. */
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

  async #close(): Promise<void> {
    this.#stopUpkeep();
    await Promise.allSettled([this.#transactions.close(), this.books.close()]);
    try {
      await this.#resources.database.close();
    } finally {
      this.#resources.release();
    }
  }
}
