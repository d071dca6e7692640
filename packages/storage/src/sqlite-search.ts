/** The search index of SQLite: a table of FTS5 that keeps words alone, not the texts. */
import { sql } from 'kysely';
import type { SearchIndex } from './database.ts';

export const sqliteSearch: SearchIndex = {
  async create(db) {
    // The words come formed: the tokenizer has only to split them at the spaces. The shortest beginnings, which most
    // texts have, are indexed too: to gather them from all words would hold up everyone who shares the thread.
    await sql`create virtual table texts using fts5(
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '1 2'
    )`.execute(db);
    await sql`create trigger texts_of_messages after delete on messages
      when old.text_id is not null
        and not exists (select 1 from messages where text_id = old.text_id)
      begin
        delete from texts where rowid = old.text_id;
      end`.execute(db);
  },
  async add(db, words) {
    const { insertId } = await sql`insert into texts (words) values (${words.join(' ')})`.execute(db);
    return Number(insertId);
  },
  matches(words, beginning) {
    const terms = [...words.map(word => `"${word}"`), `"${beginning}"*`];
    return sql<boolean>`texts match ${terms.join(' AND ')}`;
  },
};
