/** Represents this kernel among those that share its database (FLEET-1). */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AdvertisedTools,
  type FleetStore,
  type KernelRecord,
  newKernelId,
  type ToolAdvertisements,
} from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { Database, Sharing } from '../database/database.ts';
import { hinted } from '../database/postgres-lock.ts';
import { Transactions } from '../database/transactions.ts';
import { sharedPushKey } from '../push/push-key.ts';
import type { Db } from '../tables/schema.ts';
import { listEdits, noteEdit, refusedEdit } from './edits.ts';
import { DATABASE_TIME, Deaths } from './liveness.ts';
import { appendLines, LAST_LINE, lastLine, linesAfter } from './log.ts';
import { adoptOrphans, openChats, otherOwner, releaseChats, stillOwned, takeChat } from './ownership.ts';
import {
  askedSpend,
  askSpend,
  dropVoidSpend,
  freeSpend,
  LAST_RESERVATION,
  raiseSpend,
  reserveSpend,
  spendStanding,
} from './spend-reservations.ts';

/** Rows of `meta` that all kernels share, created by the first. */
const SECRET = 'fleet_secret';
const LOG_ID = 'fleet_log';
const PUSH_KEY = 'fleet_push_key';

/** The time of two missing heartbeats in a row. */
const LATELY_MS = 5000;

const SOON_MS = 500;

type Shared = Record<typeof SECRET | typeof LOG_ID | typeof PUSH_KEY, string>;

export class SqlFleetStore implements FleetStore {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly logId: string;
  readonly pushKey: string;
  readonly #sharing: Sharing;
  readonly #transactions: Transactions;
  readonly #since: string;
  readonly #deaths: Deaths;

  /** Registers a kernel. An earlier kernel with the same address is dead: otherwise the address would be in use. */
  static async join(database: Database, sharing: Sharing, data_dir: string): Promise<SqlFleetStore> {
    const pushKey = sharedPushKey(data_dir);
    const shared = await database.db.transaction().execute(db => loadShared(db, pushKey));
    const { rows } = await sql<{ now: number }>`select ${DATABASE_TIME} as now`.execute(database.db);
    const now = rows[0]?.now as number;
    sharing.follow?.(now);
    const fleet = new SqlFleetStore(new Transactions(database), sharing, shared, now);
    await fleet.#register();
    return fleet;
  }

  private constructor(transactions: Transactions, sharing: Sharing, shared: Shared, since: number) {
    this.id = newKernelId();
    this.name = sharing.name;
    this.secret = shared[SECRET];
    this.logId = shared[LOG_ID];
    this.pushKey = shared[PUSH_KEY];
    this.#sharing = sharing;
    this.#since = new Date(since).toISOString();
    this.#transactions = transactions;
    this.#deaths = new Deaths(this.id);
  }

  list: FleetStore['list'] = () => this.#transactions.read(listKernels);

  beat: FleetStore['beat'] = async () => {
    const startedAt = performance.now();
    const row = await this.#transactions.statement(db =>
      db
        .updateTable('kernels')
        .set({ seen_at: DATABASE_TIME })
        .where('id', '=', this.id)
        .returning('seen_at')
        .executeTakeFirst(),
    );
    const took = performance.now() - startedAt;
    // A slow response is too inaccurate for the time.
    if (row && took < SOON_MS) this.#sharing.follow?.(row.seen_at + took / 2);
    if (row) return true;
    await this.#register();
    return false;
  };

  bury: FleetStore['bury'] = isAlive =>
    this.#transactions.statement(db => this.#deaths.bury(db, this.#sharing.sessions(), isAlive));

  knows: FleetStore['knows'] = id => this.#deaths.knows(id);

  take: FleetStore['take'] = async chatId => {
    // A chat usually has an owner, and reading that takes no transaction.
    const other = await this.otherOwner(chatId);
    return other ? { other } : this.#transactions.write(db => takeChat(db, this, chatId));
  };

  otherOwner: FleetStore['otherOwner'] = chatId =>
    this.#transactions.read(db => otherOwner(db, this.id, chatId));

  takeOrphans: FleetStore['takeOrphans'] = (most, except) =>
    this.#transactions.statement(db => adoptOrphans(db, this, most, except));

  stillOwned: FleetStore['stillOwned'] = chats =>
    this.#transactions.read(db => stillOwned(db, this.id, chats));

  openChats: FleetStore['openChats'] = () => this.#transactions.read(db => openChats(db, this.id));

  release: FleetStore['release'] = chats => this.#transactions.write(db => releaseChats(db, this.id, chats));

  leave: FleetStore['leave'] = () =>
    this.#transactions.write(async db => {
      await db.updateTable('chats').set({ owner: null }).where('owner', '=', this.id).execute();
      await db.deleteFrom('kernels').where('id', '=', this.id).execute();
      await db.deleteFrom('spend_reservations').where('kernel', '=', this.id).execute();
      await sql`select ${hinted('kernels')}`.execute(db);
    });

  append: FleetStore['append'] = lines => this.#transactions.statement(db => appendLines(db, this.id, lines));

  linesAfter: FleetStore['linesAfter'] = (n, most) => this.#transactions.read(db => linesAfter(db, n, most));

  lastLine: FleetStore['lastLine'] = () => this.#transactions.read(lastLine);

  spendStanding: FleetStore['spendStanding'] = from =>
    this.#transactions.read(db => spendStanding(db, this.id, from));

  reserveSpend: FleetStore['reserveSpend'] = (id, cost, version) =>
    this.#transactions.statement(db => reserveSpend(db, { id, kernel: this.id, ...cost }, version));

  raiseSpend: FleetStore['raiseSpend'] = (cap, by) => this.#transactions.write(db => raiseSpend(db, cap, by));

  askSpend: FleetStore['askSpend'] = cap => this.#transactions.statement(db => askSpend(db, this.id, cap));

  askedSpend: FleetStore['askedSpend'] = cap =>
    this.#transactions.statement(db => askedSpend(db, this.id, cap));

  freeSpend: FleetStore['freeSpend'] = id => this.#transactions.statement(db => freeSpend(db, id));

  bringTools: FleetStore['bringTools'] = groups =>
    this.#transactions.write(db => replaceTools(db, this.id, groups));

  toolsBrought: FleetStore['toolsBrought'] = () => this.#transactions.read(db => listTools(db, this.id));

  noteEdit: FleetStore['noteEdit'] = (chatId, edit) =>
    this.#transactions.statement(db => noteEdit(db, this.name, chatId, edit));
  refusedEdit: FleetStore['refusedEdit'] = opId => this.#transactions.statement(db => refusedEdit(db, opId));
  edits: FleetStore['edits'] = chatId => this.#transactions.read(db => listEdits(db, chatId));

  onHint: FleetStore['onHint'] = (what, callback) => this.#sharing.onHint(what, callback);

  /** Called at the start: afterwards the list contains only living kernels. */
  async removeDead(): Promise<void> {
    // Only a silent kernel is removed at the first check, and silent kernels are not asked.
    await this.bury(async () => true);
  }

  async #register(): Promise<void> {
    const { boot, url, name, version } = this.#sharing;
    const row = { id: this.id, boot, url, name, version, since: this.#since, seen_at: DATABASE_TIME };
    await this.#transactions.write(async db => {
      await db.deleteFrom('kernels').where('url', '=', url).where('id', '<>', this.id).execute();
      await dropVoidSpend(db, this.id);
      await db
        .insertInto('kernels')
        .values(row)
        .onConflict(conflict => conflict.column('id').doUpdateSet({ seen_at: DATABASE_TIME }))
        .execute();
      // The kernel that had its address before may have left chats.
      await sql`select ${hinted('kernels')}`.execute(db);
    });
  }
}

/** Returns the values that all kernels of the database share; the first kernel creates them. */
async function loadShared(db: Db, pushKey: string): Promise<Shared> {
  const fresh = {
    [SECRET]: randomBytes(32).toString('base64url'),
    [LOG_ID]: randomUUID(),
    [LAST_LINE]: '0',
    [LAST_RESERVATION]: '0',
    [PUSH_KEY]: pushKey,
  };
  const values = Object.entries(fresh).map(([key, value]) => ({ key, value }));
  await db
    .insertInto('meta')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const rows = await db.selectFrom('meta').selectAll().where('key', 'in', Object.keys(fresh)).execute();
  return Object.fromEntries(rows.map(({ key, value }) => [key, value])) as Shared;
}

async function listKernels(db: Db): Promise<KernelRecord[]> {
  const { rows } = await sql<KernelRecord>`
    select id, url, name, version, since, seen_at >= ${DATABASE_TIME} - ${LATELY_MS} as here, (
      select count(*) from turns join chats on chats.id = turns.chat_id
      where turns.status = 'running' and chats.owner = kernels.id
    ) as turns from kernels order by since, id`.execute(db);
  return rows;
}

/** Replaces the tools that a kernel publishes. The foreign key prevents this if the kernel was removed. */
async function replaceTools(db: Db, kernel: string, groups: readonly ToolAdvertisements[]): Promise<void> {
  await db.deleteFrom('brought_tools').where('kernel', '=', kernel).execute();
  if (groups.length === 0) return;
  const rows = groups.map(each => ({ kernel, name: each.group.name, record: JSON.stringify(each) }));
  await db.insertInto('brought_tools').values(rows).execute();
}

/** Returns the tools that other kernels publish; those of the oldest kernel first. */
async function listTools(db: Db, kernel: string): Promise<AdvertisedTools[]> {
  const rows = await db
    .selectFrom('brought_tools')
    .innerJoin('kernels', 'kernels.id', 'brought_tools.kernel')
    .select(['kernels.id', 'kernels.url', 'kernels.name', 'brought_tools.record'])
    .where('kernels.id', '<>', kernel)
    .orderBy('kernels.since')
    .orderBy('kernels.id')
    .orderBy('brought_tools.name')
    .execute();
  return rows.map(({ record, ...at }) => ({ kernel: at, ...(JSON.parse(record) as ToolAdvertisements) }));
}
