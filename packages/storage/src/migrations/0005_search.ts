/** Version 5: the search index, filled with the existing messages. */
import type { Kysely } from 'kysely';
import type { Migration } from '../database/database.ts';
import { indexText } from '../search/message-search.ts';
import type { Db } from '../tables/schema.ts';

/** Messages per read. */
const STEP = 500;

export const search: Migration = async (db, _, index) => {
  const { schema } = db;
  await schema.alterTable('messages').addColumn('text_id', 'bigint').execute();
  await schema
    .createIndex('messages_by_text')
    .on('messages')
    .column('text_id')
    .where('text_id', 'is not', null)
    .execute();
  await index.create(db);

  const rows = db as Kysely<{
    messages: {
      id: string;
      chat_id: string;
      position: number | null;
      created_at: string;
      content: string;
      text_id: number | null;
    };
  }>;
  const placed = await rows
    .selectFrom('messages')
    .select('id')
    .where('position', 'is not', null)
    .orderBy('created_at')
    .orderBy('chat_id')
    .orderBy('position')
    .execute();
  const ids = placed.map(row => row.id);
  for (let start = 0; start < ids.length; start += STEP) {
    const step = ids.slice(start, start + STEP);
    const found = await rows
      .selectFrom('messages')
      .select(['id', 'content'])
      .where('id', 'in', step)
      .execute();
    const contents = new Map(found.map(({ id, content }) => [id, content]));
    for (const id of step) {
      const text_id = await indexText(db as unknown as Db, index, JSON.parse(contents.get(id)!));
      await rows.updateTable('messages').set({ text_id }).where('id', '=', id).execute();
    }
  }
};
