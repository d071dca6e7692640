/** Version 10: what a module declared when it was approved, which guards turns while the module has changed. */
import { sql } from 'kysely';
import type { Migration } from '../database/database.ts';

export const approvedModules: Migration = async db => {
  await db.schema.alterTable('modules').addColumn('approved_declaration', 'text').execute();
  await sql`update modules set approved_declaration = declaration where approved_hash = hash`.execute(db);
};
