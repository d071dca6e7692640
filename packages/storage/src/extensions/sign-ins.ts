/** Stores the credentials of guests (MCP-5), one row of `meta` for each. */
import type { SignInStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import { readMeta, swapMeta } from '../tables/meta.ts';

const signInKey = (guest: string): string => `guest_sign_in:${guest}`;

export const signInStore = (transactions: Transactions): SignInStore => ({
  get: guest => transactions.read(db => readMeta(db, signInKey(guest))),
  swap: (guest, before, after) => transactions.write(db => swapMeta(db, signInKey(guest), before, after)),
});
