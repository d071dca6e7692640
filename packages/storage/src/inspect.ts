/** Inspects a database from outside and changes nothing: for `chat-kernel doctor`. */
import type { InspectedDatabase, StorePlace } from './database/engine.ts';
import { inspectDatabase } from './database/engines.ts';
import { signOfUse } from './database/used-before.ts';
import { MIGRATIONS } from './migrations/migrate.ts';

export interface StoreState extends InspectedDatabase {
  /** The version that this code knows. */
  known: number;
  /** What tells that the data directory was in use before, where the database holds nothing; null: nothing does. */
  lost: string | null;
}

/** @throws Error, a sentence, where it can't be opened or reached */
export async function inspectStore(place: StorePlace): Promise<StoreState> {
  const inspected = await inspectDatabase(place);
  const lost = inspected.schema === null ? signOfUse(place.data_dir) : null;
  return { ...inspected, known: MIGRATIONS.length, lost };
}
