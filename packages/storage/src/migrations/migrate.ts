/**
 * Migrates the tables of a database to the version of this code. Kysely's Migrator is not used, because it runs
 * migrations of SQLite outside of transactions (docs/decisions/0019-run-migrations-without-kyselys-migrator.md).
 */
import type { Log } from '@chat-kernel/kernel';
import type { Kysely } from 'kysely';
import type { Database, Migration } from '../database/database.ts';
import { RESTORE, StoreError } from '../database/store-error.ts';
import type { Db } from '../tables/schema.ts';
import { tables } from './0001_tables.ts';
import { files } from './0002_files.ts';
import { approvals } from './0003_approvals.ts';
import { longChats } from './0004_long_chats.ts';
import { search } from './0005_search.ts';
import { extensions } from './0006_extensions.ts';
import { video } from './0007_video.ts';
import { books } from './0008_books.ts';
import { spendByDay } from './0009_spend_by_day.ts';
import { approvedModules } from './0010_approved_modules.ts';
import { goneCounts } from './0011_gone_counts.ts';
import { consent } from './0012_consent.ts';
import { longerBeginnings } from './0013_longer_beginnings.ts';
import { push } from './0014_push.ts';
import { memory } from './0015_memory.ts';
import { hands } from './0016_hands.ts';
import { schedules } from './0017_schedules.ts';
import { fleet } from './0018_fleet.ts';
import { imports } from './0019_imports.ts';
import { spendReservations } from './0020_spend_reservations.ts';
import { bytes } from './0021_bytes.ts';
import { broughtTools } from './0022_brought_tools.ts';
import { edits } from './0023_edits.ts';
import { consentTargets } from './0024_consent_targets.ts';
import { decisions } from './0025_decisions.ts';
import { memoryProposals } from './0026_memory_proposals.ts';
import { versions } from './0027_versions.ts';

/** All migrations in their order; the first one leads to version 1. Never change a migration that was released. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  files,
  approvals,
  longChats,
  search,
  extensions,
  video,
  books,
  spendByDay,
  approvedModules,
  goneCounts,
  consent,
  longerBeginnings,
  push,
  memory,
  hands,
  schedules,
  fleet,
  imports,
  spendReservations,
  bytes,
  broughtTools,
  edits,
  consentTargets,
  decisions,
  memoryProposals,
  versions,
];

/**
 * Runs the pending migrations, each in its own transaction with the new version. A database with data is copied first.
 * Throws if the database is newer than `migrations`.
 */
export async function migrate(
  database: Database,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const found = await schemaVersion(database);
  const wanted = migrations.length;
  if (found > wanted) {
    throw new StoreError(
      `${database.name} has schema version ${found}, and this chat-kernel knows versions up to ${wanted}. ` +
        `Start the newer chat-kernel again; or, where a copy from before the migration is wanted, ${RESTORE}.`,
    );
  }
  if (found === wanted) return;
  if (found > 0) {
    const copy = await database.copyBefore(wanted);
    log.info({ from: found, to: wanted, copy }, 'The database is being migrated.');
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < found) continue;
    await database.db.transaction().execute(async transaction => {
      await migration(transaction as unknown as Kysely<unknown>, database.keyType, database.search);
      await setSchemaVersion(transaction, index + 1);
    });
  }
}

/**
 * For a restore: creates the tables of this version in a transaction.
 * @throws StoreError if tables of a kernel exist already
 */
export async function makeTables(
  db: Db,
  database: Pick<Database, 'name' | 'keyType' | 'search'>,
  version: number,
): Promise<void> {
  const found = await schemaVersion({ ...database, db });
  if (found > 0) throw new StoreError(`${database.name} is in use: it holds data of a chat-kernel already.`);
  for (const migration of MIGRATIONS.slice(0, version)) {
    await migration(db as unknown as Kysely<unknown>, database.keyType, database.search);
  }
  await setSchemaVersion(db, version);
}

/** Returns 0 for a database that was never migrated. */
export async function schemaVersion({ db, keyType }: Pick<Database, 'db' | 'keyType'>): Promise<number> {
  await db.schema
    .createTable('meta')
    .ifNotExists()
    .addColumn('key', keyType, column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'schema_version')
    .executeTakeFirst();
  return row ? Number(row.value) : 0;
}

async function setSchemaVersion(db: Db, version: number): Promise<void> {
  const value = String(version);
  await db
    .insertInto('meta')
    .values({ key: 'schema_version', value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
