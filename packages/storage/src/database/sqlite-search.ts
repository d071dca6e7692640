/** The search index of SQLite: a table of FTS5 that stores only words, not the texts. */
import { type Kysely, sql } from 'kysely';
import type { SearchIndex, TextTable } from './database.ts';

export const sqliteSearch: SearchIndex = {
  async create(db) {
    await createTable(db, 'texts');
    await sql`create trigger texts_of_messages after delete on messages
      when old.text_id is not null
        and not exists (select 1 from messages where text_id = old.text_id)
      begin
        delete from texts where rowid = old.text_id;
      end`.execute(db);
    await createTable(db, 'book_texts');
    // Merging the rows after a large book would block all other work; later insertions do it in small steps.
    await sql`insert into book_texts (book_texts, rank) values ('deletemerge', 0)`.execute(db);
    await sql`create trigger book_texts_of_parts after delete on book_parts
      when old.text_id is not null
      begin
        delete from book_texts where rowid = old.text_id;
      end`.execute(db);
  },
  async add(db, words, table = 'texts') {
    const row = sql`insert into ${sql.table(table)} (words) values (${words.join(' ')})`;
    return Number((await row.execute(db)).insertId);
  },
  async put(db, texts, table = 'texts') {
    const rows = texts.map(({ rowid, words }) => sql`(${rowid}, ${words.join(' ')})`);
    await sql`insert into ${sql.table(table)} (rowid, words) values ${sql.join(rows)}`.execute(db);
  },
  // One transaction at a time writes.
  lockFree: sql``,
  matches(words, beginning, table = 'texts') {
    const terms = [...words.map(word => `"${word}"`), `"${beginning}"*`];
    return sql<boolean>`${sql.table(table)} match ${terms.join(' AND ')}`;
  },
};

/**
 * The terms are already normalized: the tokenizer only splits the text at the spaces. Common prefixes are indexed too:
 * collecting them from all terms would block the shared thread.
 */
async function createTable(db: Kysely<unknown>, table: TextTable): Promise<void> {
  await sql`create virtual table ${sql.table(table)} using fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '1 2 3 4 5'
  )`.execute(db);
}
