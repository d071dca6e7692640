/** Version 6: modules, persons and their names on surfaces, triage, and spend outside of chats. */
import type { Migration } from '../database/database.ts';

export const extensions: Migration = async (db, keyType) => {
  const { schema } = db;
  await schema
    .createTable('modules')
    .addColumn('name', keyType, column => column.primaryKey())
    .addColumn('declaration', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .addColumn('approved_hash', 'text')
    .addColumn('decided_at', keyType)
    .execute();

  await schema
    .createTable('persons')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('master', 'integer', column => column.notNull())
    .addColumn('trusted', 'integer', column => column.notNull())
    .addColumn('created_at', keyType, column => column.notNull())
    .execute();
  await schema
    .createTable('person_ids')
    .addColumn('surface', keyType, column => column.notNull())
    .addColumn('external_id', keyType, column => column.notNull())
    .addColumn('person_id', keyType, column => column.notNull().references('persons.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('person_ids_by_surface', ['surface', 'external_id'])
    .execute();
  await schema.createIndex('person_ids_by_person').on('person_ids').column('person_id').execute();

  // Contains a single row, which is incremented.
  await schema
    .createTable('triage')
    .addColumn('id', 'integer', column => column.primaryKey())
    .addColumn('engaged', 'bigint', column => column.notNull())
    .addColumn('responded', 'bigint', column => column.notNull())
    .execute();

  await schema
    .createTable('side_spend')
    .addColumn('model', keyType, column => column.primaryKey())
    .addColumn('prompt_tokens', 'bigint', column => column.notNull())
    .addColumn('completion_tokens', 'bigint', column => column.notNull())
    .addColumn('reasoning_tokens', 'bigint', column => column.notNull())
    .addColumn('cached_tokens', 'bigint', column => column.notNull())
    .addColumn('cost_usd', 'double precision')
    .addColumn('turns', 'bigint', column => column.notNull())
    .execute();
};
