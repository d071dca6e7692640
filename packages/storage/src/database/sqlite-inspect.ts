/** Looks at a SQLite database from outside. Reads all of it, some seconds a gigabyte. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isLocked } from './directory-lock.ts';
import type { InspectedDatabase } from './engine.ts';
import { sqlitePath } from './sqlite-path.ts';

const BUSY_TIMEOUT_MS = 5000;

export async function inspectSqlite(data_dir: string): Promise<InspectedDatabase> {
  const path = sqlitePath(data_dir);
  const state = { name: `The database ${path}`, in_use: isLocked(data_dir) };
  if (!existsSync(path)) return { ...state, size: null, schema: null, damage: null };
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(addressOf(path), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const found = database.prepare('pragma quick_check(1)').get()?.quick_check;
    const kept = database.prepare("select 1 from sqlite_schema where name = 'meta'").get();
    const row = kept && database.prepare("select value from meta where key = 'schema_version'").get();
    return {
      ...state,
      size: statSync(path).size,
      schema: row ? Number(row.value) : null,
      damage: found === 'ok' ? null : String(found),
    };
  } catch (cause) {
    throw new Error(`${state.name} can't be read: ${(cause as Error).message}.`, { cause });
  } finally {
    database?.close();
  }
}

/**
 * Returns an address that leaves no journal: even a reader makes one beside an idle database, and a journal of another
 * user would keep the kernel out. Without a journal the file alone holds all data, so it may be read as immutable.
 */
function addressOf(path: string): URL {
  const address = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) address.searchParams.set('immutable', '1');
  return address;
}
