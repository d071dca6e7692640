/**
 * Stores modules: their last declaration, and the user's decision about it (MOD-2, MOD-9). Stores the credentials of guests
 * (MCP-5).
 */
import type { ModuleRecord, ModuleStore, SignInStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { type ColumnKinds, decode } from '../tables/decode.ts';
import { readMeta, swapMeta } from '../tables/meta.ts';
import type { Db } from '../tables/schema.ts';
import { encode } from '../tables/text.ts';
import { decodeReadable } from '../tables/unreadable.ts';

const COLUMNS: ColumnKinds<ModuleRecord> = { declaration: 'json', approved_declaration: 'json' };

export const moduleStore = (transactions: Transactions): ModuleStore => ({
  list: () => transactions.read(listModules),
  declare: module => transactions.write(db => declareModule(db, module)),
  save: module => transactions.write(db => saveModule(db, module)),
});

/** Sorted by name. A module whose row is damaged counts as new: the user is asked again. */
async function listModules(db: Db): Promise<ModuleRecord[]> {
  const rows = await db.selectFrom('modules').selectAll().orderBy('name').execute();
  return decodeReadable(
    'modules',
    rows,
    row => decode<ModuleRecord>(row, COLUMNS),
    ({ name }) => name,
  );
}

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

async function saveModule(db: Db, module: ModuleRecord): Promise<void> {
  const { name, ...values } = encode(module);
  await db
    .insertInto('modules')
    .values({ name, ...values })
    .onConflict(conflict => conflict.column('name').doUpdateSet(values))
    .execute();
}

/** Each is a row of `meta`. */
const signInKey = (guest: string): string => `guest_sign_in:${guest}`;

export const signInStore = (transactions: Transactions): SignInStore => ({
  get: guest => transactions.read(db => readMeta(db, signInKey(guest))),
  swap: (guest, before, after) => transactions.write(db => swapMeta(db, signInKey(guest), before, after)),
});
