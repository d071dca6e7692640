/** Version 10: the declaration of a module at its approval, which guards turns after the module has changed. */
import { sql } from 'kysely';
import type { Migration } from '../database/database.ts';

export const approvedModules: Migration = async db => {
  await db.schema.alterTable('modules').addColumn('approved_declaration', 'text').execute();
  await sql`update modules set approved_declaration = declaration where approved_hash = hash`.execute(db);
};
