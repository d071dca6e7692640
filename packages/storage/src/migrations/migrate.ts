/**
 * Migrates the tables of a database to the version of this code. Kysely's Migrator is not used, because it runs
 * migrations of SQLite outside of transactions (docs/decisions/0019-run-migrations-without-kyselys-migrator.md).
 */
import type { Log } from '@chat-kernel/kernel';
import type { Kysely } from 'kysely';
import type { Database, Migration } from '../database/database.ts';
import { RESTORE, StoreError } from '../database/store-error.ts';
import { readMeta, writeMeta } from '../tables/meta.ts';
import type { Db } from '../tables/schema.ts';
import { tables } from './0018_tables.ts';
import { imports } from './0019_imports.ts';
import { spendReservations } from './0020_spend_reservations.ts';
import { bytes } from './0021_bytes.ts';
import { broughtTools } from './0022_brought_tools.ts';
import { edits } from './0023_edits.ts';
import { consentTargets } from './0024_consent_targets.ts';
import { decisions } from './0025_decisions.ts';
import { memoryProposals } from './0026_memory_proposals.ts';
import { versions } from './0027_versions.ts';
import { daySpend } from './0028_day_spend.ts';
import { mergeLater } from './0029_merge_later.ts';

/** The row of `meta` with the version of the tables. */
const KEY = 'schema_version';
/** The version of the tables that the first migration makes. Those before it are from before the first release. */
const FIRST_VERSION = 18;

/** All migrations in their order. Never change one that was released. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  imports,
  spendReservations,
  bytes,
  broughtTools,
  edits,
  consentTargets,
  decisions,
  memoryProposals,
  versions,
  daySpend,
  mergeLater,
];

/** The version of the tables after these migrations. */
const versionAfter = ({ length }: readonly Migration[]): number => FIRST_VERSION - 1 + length;

/** The version of the tables that this code uses. */
export const SCHEMA_VERSION = versionAfter(MIGRATIONS);

/** Whether tables or a backup of this version are older than the first migration. */
export const isTooOld = (version: number): boolean => version > 0 && version < FIRST_VERSION;

/** Follows the name of a database or a backup that is too old. */
export const TOO_OLD =
  `has tables from before the first release, older than version ${FIRST_VERSION}. Open it once with a chat-kernel of ` +
  'November 24 to 28, 2026, which migrates it.';

/**
 * Runs the pending migrations, each in its own transaction with the new version. A database with data is copied first.
 * Throws if the database is newer than `migrations`, or older than the first of them.
 */
export async function migrate(
  database: Database,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const found = await schemaVersion(database);
  const wanted = versionAfter(migrations);
  if (found > wanted) {
    throw new StoreError(
      `${database.name} has schema version ${found}, and this chat-kernel knows versions up to ${wanted}. ` +
        `Start the newer chat-kernel again; or, where a copy from before the migration is wanted, ${RESTORE}.`,
    );
  }
  if (found === wanted) return;
  if (isTooOld(found)) throw new StoreError(`${database.name} ${TOO_OLD}`);
  if (found > 0) {
    const copy = await database.copyBefore(wanted);
    log.info({ from: found, to: wanted, copy }, 'The database is being migrated.');
  }
  for (const [index, migration] of migrations.entries()) {
    const version = FIRST_VERSION + index;
    if (version <= found) continue;
    await database.db.transaction().execute(async transaction => {
      await migration(transaction as unknown as Kysely<unknown>, database.keyType, database.search);
      await writeMeta(transaction, KEY, String(version));
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
  for (const migration of MIGRATIONS.slice(0, version - FIRST_VERSION + 1)) {
    await migration(db as unknown as Kysely<unknown>, database.keyType, database.search);
  }
  await writeMeta(db, KEY, String(version));
}

/** Returns 0 for a database that was never migrated. */
export async function schemaVersion({ db, keyType }: Pick<Database, 'db' | 'keyType'>): Promise<number> {
  await db.schema
    .createTable('meta')
    .ifNotExists()
    .addColumn('key', keyType, column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  return Number(await readMeta(db, KEY));
}
