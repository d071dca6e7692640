/** Version 13: the search index knows longer beginnings of words, so that one which a million messages share is found at once. */
import type { Migration } from '../database/database.ts';
import { rebuildIndex } from '../search/rebuilt-index.ts';
import type { Db } from '../tables/schema.ts';

export const longerBeginnings: Migration = async (db, _, index) => {
  if (await index.renew(db)) await rebuildIndex(db as unknown as Db, index);
};
