/** Stores the credentials of guests (MCP-5), one row of `meta` for each. */
import type { SignInStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';

const signInKey = (guest: string): string => `guest_sign_in:${guest}`;

export class SqlSignInStore implements SignInStore {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  get: SignInStore['get'] = guest =>
    this.#transactions.read(async db => {
      const row = await db
        .selectFrom('meta')
        .select('value')
        .where('key', '=', signInKey(guest))
        .executeTakeFirst();
      return row?.value ?? null;
    });

  swap: SignInStore['swap'] = (guest, before, after) =>
    this.#transactions.write(async db => {
      const key = signInKey(guest);
      if (before === null && after === null) return true;
      if (before === null) {
        const begun = await db
          .insertInto('meta')
          .values({ key, value: after as string })
          .onConflict(conflict => conflict.doNothing())
          .executeTakeFirst();
        return Number(begun.numInsertedOrUpdatedRows) > 0;
      }
      if (after === null) {
        const { numDeletedRows } = await db
          .deleteFrom('meta')
          .where('key', '=', key)
          .where('value', '=', before)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }
      const { numUpdatedRows } = await db
        .updateTable('meta')
        .set({ value: after })
        .where('key', '=', key)
        .where('value', '=', before)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
}
