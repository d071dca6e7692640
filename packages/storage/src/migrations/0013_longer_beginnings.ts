/**
 * Version 13: longer prefixes of words in the search index, so that one shared by a million messages is found quickly.
 */
import type { Migration } from '../database/database.ts';
import { rebuildIndex } from '../search/rebuilt-index.ts';
import type { Db } from '../tables/schema.ts';

export const longerBeginnings: Migration = async (db, _, index) => {
  if (await index.renew(db)) await rebuildIndex(db as unknown as Db, index);
};
