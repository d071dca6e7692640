/** The search index of Postgres: vectors of words without positions, under GIN. */
import { sql } from 'kysely';
import type { SearchIndex } from './database.ts';

export const postgresSearch: SearchIndex = {
  async create(db) {
    await sql`create table texts (
      rowid bigint generated always as identity primary key,
      words tsvector not null
    )`.execute(db);
    await sql`create index texts_by_word on texts using gin (words)`.execute(db);
    // First the locks, always in the same order: of two chats that go at the same time and have texts in common, the
    // second one waits, and then knows of the first.
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
  },
  async add(db, words) {
    const { rows } = await sql<{ rowid: number }>`
      insert into texts (words) values (${words.join(' ')}::tsvector) returning rowid`.execute(db);
    return rows[0]!.rowid;
  },
  matches(words, beginning) {
    const terms = [...words.map(word => `'${word}'`), `'${beginning}':*`];
    return sql<boolean>`words @@ ${terms.join(' & ')}::tsquery`;
  },
};
