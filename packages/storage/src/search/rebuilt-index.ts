/** Rebuilds the search index from the texts by their numbers after a restore, because archives do not contain it. */
import type { SearchIndex } from '../database/database.ts';
import { readBlocks } from '../tables/blocks.ts';
import type { Db } from '../tables/schema.ts';
import { listSearchTerms } from './new-texts.ts';
import { distinctWords } from './tokenizer.ts';

/** Texts that are indexed together. */
const PAGE = 100;

/** Fills an empty index. @param onTexts callback with the number of texts indexed so far */
export async function rebuildIndex(
  db: Db,
  index: SearchIndex,
  onTexts: (done: number) => void,
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

/** In the order of their numbers: otherwise a SQLite index would write each text separately. */
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
    .select(['id', 'text_id', 'content'])
    .where('text_id', '>', after)
    .orderBy('text_id')
    .limit(PAGE)
    .execute();
  return Promise.all(
    rows.map(async ({ id, text_id, content }) => ({
      rowid: text_id as number,
      words: await listSearchTerms(readBlocks({ id, content }) ?? []),
    })),
  );
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
