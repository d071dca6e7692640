/** Stores machines that have stood by. Names from clients are stored as JSON, which keeps each of their characters. */
import type { HandsRecord, HandsStore } from '@chat-kernel/kernel';
import type { Transactions } from '../database/transactions.ts';
import type { Db } from '../tables/schema.ts';
import { decodeReadable } from '../tables/unreadable.ts';

export const handsStore = (transactions: Transactions): HandsStore => ({
  list: () => transactions.read(listHands),
  save: hands => transactions.write(db => saveHands(db, hands)),
  delete: clientId => transactions.write(db => deleteHands(db, clientId)),
});

async function listHands(db: Db): Promise<HandsRecord[]> {
  const rows = await db.selectFrom('hands').selectAll().orderBy('client_id').execute();
  return decodeReadable(
    'hands',
    rows,
    ({ client_id, record }) => ({ client_id: JSON.parse(client_id), ...JSON.parse(record) }),
    ({ client_id }) => client_id,
  );
}

async function saveHands(db: Db, { client_id, ...fields }: HandsRecord): Promise<void> {
  const record = JSON.stringify(fields);
  await db
    .insertInto('hands')
    .values({ client_id: JSON.stringify(client_id), record })
    .onConflict(conflict => conflict.column('client_id').doUpdateSet({ record }))
    .execute();
}

async function deleteHands(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom('hands').where('client_id', '=', JSON.stringify(clientId)).execute();
}
