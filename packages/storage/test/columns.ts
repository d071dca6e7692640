/** Lists the columns of the table of chats in a database. */
import type { Database } from '../src/database/database.ts';

export async function chatColumns({ db }: Pick<Database, 'db'>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  return tables.find(({ name }) => name === 'chats')?.columns.map(({ name }) => name) ?? [];
}
