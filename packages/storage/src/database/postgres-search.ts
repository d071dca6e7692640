/** The search index of Postgres: vectors of words without positions, under GIN. */
import { type Kysely, sql } from 'kysely';
import type { SearchIndex, TextTable } from './database.ts';

export const postgresSearch: SearchIndex = {
  async create(db) {
    await createTable(db, 'texts', 'texts_by_word');
    // Takes the locks first, always in the same order. If two chats with common texts are deleted concurrently, the
    // second deletion waits and then sees the first.
    await sql`create function drop_texts() returns trigger language plpgsql as $$
      begin
        perform 1 from texts where rowid in (select text_id from gone) order by rowid for update;
        delete from texts
          where rowid in (select text_id from gone)
            and not exists (select 1 from messages where text_id = texts.rowid);
        return null;
      end
    $$`.execute(db);
    await sql`create trigger texts_of_messages after delete on messages
      referencing old table as gone
      for each statement execute function drop_texts()`.execute(db);
    await createTable(db, 'book_texts', 'book_texts_by_word');
    await sql`create function drop_book_texts() returns trigger language plpgsql as $$
      begin
        delete from book_texts where rowid in (select text_id from gone);
        return null;
      end
    $$`.execute(db);
    await sql`create trigger book_texts_of_parts after delete on book_parts
      referencing old table as gone
      for each statement execute function drop_book_texts()`.execute(db);
  },
  async add(db, words, table = 'texts') {
    const { rows } = await sql<{ rowid: number }>`insert into ${sql.table(table)} (words)
      values (${words.join(' ')}::tsvector) returning rowid`.execute(db);
    return rows[0]!.rowid;
  },
  async put(db, texts, table = 'texts') {
    const rows = texts.map(({ rowid, words }) => sql`(${rowid}, ${words.join(' ')}::tsvector)`);
    await sql`insert into ${sql.table(table)} (rowid, words) overriding system value
      values ${sql.join(rows)}`.execute(db);
    // The next new text gets a higher number than these.
    const last = texts.at(-1)!.rowid;
    await sql`select setval(pg_get_serial_sequence(${table}, 'rowid'), ${last})`.execute(db);
  },
  lockFree: sql`for update skip locked`,
  matches(words, beginning) {
    const terms = [...words.map(word => `'${word}'`), `'${beginning}':*`];
    return sql<boolean>`words @@ ${terms.join(' & ')}::tsquery`;
  },
};

async function createTable(db: Kysely<unknown>, table: TextTable, index: string): Promise<void> {
  await sql`create table ${sql.table(table)} (
    rowid bigint generated always as identity primary key,
    words tsvector not null
  )`.execute(db);
  await sql`create index ${sql.ref(index)} on ${sql.table(table)} using gin (words)`.execute(db);
}
