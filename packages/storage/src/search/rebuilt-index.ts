/**
 * The search index, made anew from the texts by their numbers: after a restore, for no archive has it, and where a newer
 * version makes it in another way.
 */
import type { SearchIndex } from '../database/database.ts';
import type { Db } from '../tables/schema.ts';
import { wordsOf } from './message-search.ts';
import { distinctWords } from './words.ts';

/** Texts that are indexed at once. */
const PAGE = 100;

/** Fills an empty index. @param onTexts is told how many texts were indexed so far */
export async function rebuildIndex(
  db: Db,
  index: SearchIndex,
  onTexts: (done: number) => void = () => {},
): Promise<void> {
  let done = 0;
  const tell = (count: number) => {
    done += count;
    onTexts(done);
  };
  await rebuild(
    after => messagesBehind(db, after),
    tell,
    texts => index.put(db, texts, 'texts'),
  );
  await rebuild(
    after => partsBehind(db, after),
    tell,
    texts => index.put(db, texts, 'book_texts'),
  );
}

interface Text {
  rowid: number;
  words: readonly string[];
}

/** In the order of their numbers: an index of SQLite would otherwise write each text by itself. */
async function rebuild(
  read: (after: number) => Promise<Text[]>,
  onTexts: (count: number) => void,
  put: (texts: Text[]) => Promise<void>,
): Promise<void> {
  let after = 0;
  for (;;) {
    const found = await read(after);
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.rowid;
    // Copies of a message share its text.
    const texts = [...new Map(found.map(text => [text.rowid, text])).values()];
    await put(texts);
    onTexts(texts.length);
  }
}

async function messagesBehind(db: Db, after: number): Promise<Text[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['text_id', 'content'])
    .where('text_id', '>', after)
    .orderBy('text_id')
    .limit(PAGE)
    .execute();
  return rows.map(({ text_id, content }) => ({
    rowid: text_id as number,
    words: wordsOf(JSON.parse(content)),
  }));
}

async function partsBehind(db: Db, after: number): Promise<Text[]> {
  const rows = await db
    .selectFrom('book_parts')
    .select(['text_id', 'text'])
    .where('text_id', '>', after)
    .orderBy('text_id')
    .limit(PAGE)
    .execute();
  return rows.map(({ text_id, text }) => ({ rowid: text_id as number, words: distinctWords(text) }));
}
