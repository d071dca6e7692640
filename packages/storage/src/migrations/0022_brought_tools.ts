/** Version 22: the tools of a kernel's modules and tool servers, for kernels that share its database (FLEET-4). */
import type { Migration } from '../database/database.ts';

export const broughtTools: Migration = async ({ schema }, keyType) => {
  // If a kernel is removed, its tools are removed as well.
  await schema
    .createTable('brought_tools')
    .addColumn('kernel', keyType, column => column.notNull().references('kernels.id').onDelete('cascade'))
    .addColumn('name', keyType, column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('brought_tools_of_kernel', ['kernel', 'name'])
    .execute();
};
