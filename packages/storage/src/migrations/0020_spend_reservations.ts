/** Version 20: the possible cost of provider requests in progress, for several kernels on one database. */
import type { Migration } from '../database/database.ts';

export const spendReservations: Migration = async ({ schema }, keyType) => {
  await schema
    .createTable('spend_reservations')
    .addColumn('id', keyType, column => column.primaryKey())
    .addColumn('kernel', keyType, column => column.notNull())
    .addColumn('usd', 'double precision', column => column.notNull())
    .addColumn('tokens', 'bigint', column => column.notNull())
    .execute();
};
