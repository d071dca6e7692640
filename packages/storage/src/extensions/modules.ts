/** Stores modules: their last declaration, and the user's decision about it (MOD-2, MOD-9). */
import type { ModuleRecord, ModuleStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db, Schema } from '../tables/schema.ts';
import { json } from '../tables/text.ts';
import { decodeReadable } from '../tables/unreadable.ts';

export class SqlModuleStore implements ModuleStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  list: ModuleStore['list'] = () => this.#transactions.read(listModules);

  declare: ModuleStore['declare'] = module => this.#transactions.write(db => declareModule(db, module));

  save: ModuleStore['save'] = module => this.#transactions.write(db => saveModule(db, module));
}

/** Sorted by name. A module whose row is damaged counts as new: the user is asked again. */
async function listModules(db: Db): Promise<ModuleRecord[]> {
  const rows = await db.selectFrom('modules').selectAll().orderBy('name').execute();
  return decodeReadable('modules', rows, decode, ({ name }) => name);
}

const decode = (row: Schema['modules']): ModuleRecord => ({
  ...row,
  declaration: JSON.parse(row.declaration),
  approved_declaration: row.approved_declaration === null ? null : JSON.parse(row.approved_declaration),
});

async function declareModule(
  db: Db,
  { name, hash, ...module }: Pick<ModuleRecord, 'declaration' | 'hash' | 'name'>,
): Promise<void> {
  const declaration = JSON.stringify(module.declaration);
  const undecided = { approved_hash: null, approved_declaration: null, decided_at: null };
  await db
    .insertInto('modules')
    .values({ name, hash, declaration, ...undecided })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ hash, declaration }))
    .execute();
}

async function saveModule(db: Db, { name, ...module }: ModuleRecord): Promise<void> {
  const values = {
    ...module,
    declaration: JSON.stringify(module.declaration),
    approved_declaration: json(module.approved_declaration),
  };
  await db
    .insertInto('modules')
    .values({ name, ...values })
    .onConflict(conflict => conflict.column('name').doUpdateSet(values))
    .execute();
}
