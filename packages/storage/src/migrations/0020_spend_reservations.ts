/** Version 20: what trips of several kernels on one database may cost, for as long as they are under way. */
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
