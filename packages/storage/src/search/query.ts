/** Parses a query into terms, and selects the ones for the index. */
import { tokenize } from './tokenizer.ts';

/** The terms to find, each in the form of `words.ts`. */
export interface WantedWords {
  /** Terms that must match completely; the last term of a query is not included unless it also occurs earlier. */
  whole: ReadonlySet<string>;
  /** The last term of a query: some term of the text must begin with it. */
  beginning: string;
}

/** Maximum number of terms for the index; the longest are the rarest. */
const ASKED_WORDS = 32;

/** Undefined if the query has no terms. */
export function wantedBy(query: string): WantedWords | undefined {
  const words = Array.from(tokenize(query), ({ word }) => word);
  const beginning = words.pop();
  return beginning === undefined ? undefined : { whole: new Set(words), beginning };
}

/** Returns the terms to look up in the index. */
export const rarest = (words: ReadonlySet<string>): string[] =>
  [...words].sort((a, b) => b.length - a.length).slice(0, ASKED_WORDS);
