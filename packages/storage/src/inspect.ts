/** Inspects a database from outside and changes nothing: for `chat-kernel doctor`. */
import type { InspectedDatabase, StorePlace } from './database/engine.ts';
import { inspectDatabase } from './database/engines.ts';
import { MIGRATIONS } from './migrations/migrate.ts';

export interface StoreState extends InspectedDatabase {
  /** The version that this code knows. */
  known: number;
}

/** @throws Error, a sentence, where it can't be opened or reached */
export const inspectStore = async (place: StorePlace): Promise<StoreState> => ({
  ...(await inspectDatabase(place)),
  known: MIGRATIONS.length,
});
