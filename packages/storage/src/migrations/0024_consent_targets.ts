/**
 * Version 24: approvals record their target and the outside sources that the dialog showed; turns record their outside
 * sources.
 */
import type { Migration } from '../database/database.ts';

export const consentTargets: Migration = async ({ schema }) => {
  await schema.alterTable('approvals').addColumn('target', 'text').execute();
  await schema.alterTable('approvals').addColumn('outside', 'text').execute();
  await schema.alterTable('turns').addColumn('outside', 'text').execute();
};
