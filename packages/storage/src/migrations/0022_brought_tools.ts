/** Version 22: the tools of modules and tool servers that a kernel has, for those that share its database (FLEET-4). */
import type { Migration } from '../database/database.ts';

export const broughtTools: Migration = async ({ schema }, keyType) => {
  // A kernel that is struck out takes its tools along.
  await schema
    .createTable('brought_tools')
    .addColumn('kernel', keyType, column => column.notNull().references('kernels.id').onDelete('cascade'))
    .addColumn('name', keyType, column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('brought_tools_of_kernel', ['kernel', 'name'])
    .execute();
};
