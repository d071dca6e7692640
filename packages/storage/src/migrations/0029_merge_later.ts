/**
 * Version 29: the search index of SQLite no longer merges what is left of deleted texts at once, which blocks all other
 * work for as long as a large chat takes. Later insertions do it in small steps.
 */
import { sql } from 'kysely';
import type { Migration } from '../database/database.ts';

export const mergeLater: Migration = async (db, keyType) => {
  const isSqlite = keyType === 'text';
  if (isSqlite) await sql`insert into texts (texts, rank) values ('deletemerge', 0)`.execute(db);
};
