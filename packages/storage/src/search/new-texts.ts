/**
 * Puts the texts of new messages into the search index. This happens after the transactions that stored them, and for many
 * messages at once: an index of words writes several pages in each transaction. A search does it first, so it misses none.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import type { StoredBlock } from '@chat-kernel/kernel';
import { sql } from 'kysely';
import type { SearchIndex } from '../database/database.ts';
import type { Transactions } from '../database/transactions.ts';
import { readBlocks } from '../tables/blocks.ts';
import { compiledOnce } from '../tables/compiled-once.ts';
import type { Db } from '../tables/schema.ts';
import { distinctWordsInSteps } from './tokenizer.ts';

/** In the column `text_id` of a message: it has a text that is not indexed yet. */
export const UNINDEXED = 0;
/** Messages per transaction. */
const STEP = 20;
/** A transaction ends after so many words: SQLite indexes them in the main thread, which takes some milliseconds. */
const STEP_WORDS = 1000;

/** Indexes all messages that are not indexed yet, in several transactions. */
export async function indexNew(transactions: Transactions, index: SearchIndex): Promise<void> {
  while (!(await transactions.write(db => indexStep(db, index))));
}

/** Does the same in the open transaction. */
export async function indexNewIn(db: Db, index: SearchIndex): Promise<void> {
  while (!(await indexStep(db, index))) await nextTick();
}

/** Returns true if there are no more. */
async function indexStep(db: Db, index: SearchIndex): Promise<boolean> {
  const ids = (await newMessages(db, index)).map(({ id }) => id);
  let count = 0;
  // They sort by time.
  for (const id of ids.sort()) {
    const { rows } = await contentOf(db, { id });
    const words = await listSearchTerms(rows.flatMap(({ content }) => readBlocks({ id, content }) ?? []));
    const text_id = words.length === 0 ? null : await index.add(db, words);
    await setText(db, { id, text_id });
    count += words.length;
    if (count > STEP_WORDS) return false;
  }
  return ids.length < STEP;
}

/** Some messages that are not indexed yet, without those that another kernel is just indexing. */
export const newMessages = (db: Db, index: Pick<SearchIndex, 'lockFree'>) =>
  db
    .selectFrom('messages')
    .select('id')
    // A literal, so that the database knows that its index of texts has these rows.
    .where('text_id', '=', sql.lit(UNINDEXED))
    .limit(STEP)
    .modifyEnd(index.lockFree)
    .execute();

const contentOf = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('messages').select('content').where('id', '=', id),
);

const setText = compiledOnce((db, { id, text_id }: { id: string; text_id: number | null }) =>
  db.updateTable('messages').set({ text_id }).where('id', '=', id),
);

/** Returns the words by which a message with these blocks is found. */
export const listSearchTerms = (content: readonly StoredBlock[]): Promise<string[]> =>
  distinctWordsInSteps(searchableText(content));

/** Whether a message with these blocks may be found. */
export const hasText = (content: readonly StoredBlock[]): boolean => content.some(isSearched);

/** Returns the text of users and models, without the kernel's own insertions. */
export const searchableText = (content: readonly StoredBlock[]): string =>
  content
    .filter(isSearched)
    .map(({ text }) => text)
    .join('\n');

function isSearched(block: StoredBlock): block is Extract<StoredBlock, { type: 'text' | 'quote' }> {
  const { note, compaction, drawn } = block.internal ?? {};
  return (block.type === 'text' || block.type === 'quote') && !note && !compaction && !drawn;
}
