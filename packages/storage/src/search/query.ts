/** The words of a query, and the ones by which an index is asked. */
import { wordsIn } from './words.ts';

/** Words that are looked for, each as `words.ts` forms it. */
export interface WantedWords {
  /** Words that must be there as they are; the last one of a query need not be among them. */
  whole: ReadonlySet<string>;
  /** The last word of a query: some word must begin with it. */
  beginning: string;
}

/** Words that an index is asked for at most; the longest are the rarest. */
const ASKED_WORDS = 32;

/** Undefined where the query has no words. */
export function wantedBy(query: string): WantedWords | undefined {
  const words = Array.from(wordsIn(query), ({ word }) => word);
  const beginning = words.pop();
  return beginning === undefined ? undefined : { whole: new Set(words), beginning };
}

/** The words that an index is asked for. */
export const rarest = (words: ReadonlySet<string>): string[] =>
  [...words].sort((a, b) => b.length - a.length).slice(0, ASKED_WORDS);
