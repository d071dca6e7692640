/**
 * Full-text search over messages. A message is indexed by its words, once: copies of the message in other chats have
 * the same text, by its number. The index narrows the search down; the message itself has the last word.
 */
import type { SearchHit, StoredBlock } from '@chat-kernel/kernel';
import type { SearchIndex } from '../database/database.ts';
import type { Db } from '../tables/schema.ts';
import { rarest, type WantedWords, wantedBy } from './query.ts';
import { snippet } from './snippet.ts';
import { distinctWords } from './words.ts';

/** Texts that are read at once. */
const PAGE = 100;

/** Indexes what these blocks say; returns its number for the row of their message, null where they say nothing. */
export async function indexText(
  db: Db,
  index: SearchIndex,
  content: readonly StoredBlock[],
): Promise<number | null> {
  const words = wordsOf(content);
  return words.length === 0 ? null : await index.add(db, words);
}

/** The words by which a message of these blocks is found. */
export const wordsOf = (content: readonly StoredBlock[]): string[] => distinctWords(said(content));

/** The newest first, by when they were stored; a copy before what it is a copy of. */
export async function searchMessages(
  db: Db,
  index: SearchIndex,
  query: string,
  limit: number,
): Promise<SearchHit[]> {
  const wanted = wantedBy(query);
  const hits: SearchHit[] = [];
  let before: number | null = null;
  while (wanted && hits.length < limit) {
    const found = await findPage(db, index, wanted, before, Math.min(limit, PAGE));
    if (found.length === 0) break;
    before = found.at(-1)!.text_id;
    const snippets = await readSnippets(db, found, wanted);
    for (const { id, chat_id, text_id, position } of found) {
      const line = snippets.get(text_id);
      const waiting = position === null && ({ waiting: true } as const);
      if (line !== undefined) hits.push({ chat_id, message_id: id, snippet: line, ...waiting });
    }
  }
  return hits.slice(0, limit);
}

interface Found {
  id: string;
  chat_id: string;
  text_id: number;
  /** Null while the message waits. */
  position: number | null;
}

/** The messages of the next texts, of which there are `count` unless there are no more. */
async function findPage(
  db: Db,
  index: SearchIndex,
  { whole, beginning }: WantedWords,
  before: number | null,
  count: number,
): Promise<Found[]> {
  const texts = db
    .selectFrom('texts')
    .select('rowid')
    .where(index.matches(rarest(whole), beginning))
    .$if(before !== null, query => query.where('rowid', '<', before))
    .orderBy('rowid', 'desc')
    .limit(count);
  return (await db
    .selectFrom('messages')
    .select(['id', 'chat_id', 'text_id', 'position'])
    .where('text_id', 'in', texts)
    .orderBy('text_id', 'desc')
    .orderBy('id', 'desc')
    .execute()) as Found[];
}

/** Snippets by the number of their text, of the texts that have all the words. */
async function readSnippets(
  db: Db,
  found: readonly Found[],
  wanted: WantedWords,
): Promise<Map<number, string>> {
  const ids = new Map(found.map(({ id, text_id }) => [text_id, id]));
  const rows = await db
    .selectFrom('messages')
    .select(['text_id', 'content'])
    .where('id', 'in', [...ids.values()])
    .execute();
  const lines = rows.map(({ text_id, content }) => [text_id, snippet(said(JSON.parse(content)), wanted)]);
  return new Map(lines.filter((line): line is [number, string] => line[1] !== undefined));
}

/** The text of people and models, without what the kernel put between. */
function said(content: readonly StoredBlock[]): string {
  const texts: string[] = [];
  for (const block of content) {
    if (block.type !== 'text' && block.type !== 'quote') continue;
    const { note, compaction, drawn } = block.internal ?? {};
    if (!note && !compaction && !drawn) texts.push(block.text);
  }
  return texts.join('\n');
}
