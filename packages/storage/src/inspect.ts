/** Inspects a database from outside and changes nothing: for `chat-kernel doctor`. */
import type { InspectedDatabase, StorePlace } from './database/engine.ts';
import { inspectDatabase } from './database/engines.ts';
import { signOfUse } from './database/used-before.ts';
import { SCHEMA_VERSION } from './migrations/migrate.ts';
import { findUnreadableRows } from './tables/check-rows.ts';

export interface StoreState extends InspectedDatabase {
  /** The version that this code supports. */
  known: number;
  /** The sign of an earlier use of the data directory if the database is empty; null if there is none. */
  lost: string | null;
}

/** @throws Error, a sentence, if it cannot be opened or reached */
export async function inspectStore(place: StorePlace): Promise<StoreState> {
  // The tables of another version have other columns.
  const inspected = await inspectDatabase(place, async (read, schema) =>
    schema === SCHEMA_VERSION ? findUnreadableRows(read) : [],
  );
  const lost = inspected.schema === null ? signOfUse(place.data_dir) : null;
  return { ...inspected, known: SCHEMA_VERSION, lost };
}
