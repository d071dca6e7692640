/** Parses a query into terms, and creates the line of a text that shows why a search found it. */
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

/** Characters of a snippet. */
const WIDTH = 160;
/** Characters before the first matching word. */
const BEFORE = 60;

interface TextRange {
  start: number;
  end: number;
}

/**
 * Returns about 160 characters around the first term, with each term between ** and **; undefined if a term is missing.
 */
export function snippet(text: string, wanted: WantedWords): string | undefined {
  const found = findWords(text, wanted);
  if (!found) return undefined;
  const { start, end } = windowAround(text, found[0]!);
  let line = '';
  let at = start;
  for (const word of found) {
    if (word.start >= end) break;
    const between = unmarked(text.slice(at, word.start));
    const marked = text.slice(word.start, Math.min(word.end, end));
    // Adjacent words are marked as one.
    if (between === '' && line.endsWith('**')) line = `${line.slice(0, -2)}${marked}**`;
    else line += `${between}**${marked}**`;
    at = word.end;
  }
  line = `${line}${unmarked(text.slice(at, end))}`.trim();
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}

/** Returns the positions of the first matching term and of those near it, in order; undefined if a term is missing. */
function findWords(text: string, { whole, beginning }: WantedWords): TextRange[] | undefined {
  const missing = new Set(whole);
  let begun = false;
  const found: TextRange[] = [];
  for (const { word, start, end } of tokenize(text)) {
    const begins = word.startsWith(beginning);
    if (!begins && !whole.has(word)) continue;
    begun ||= begins;
    missing.delete(word);
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || (start < first.start + WIDTH && start >= last!.end))
      found.push({ start, end });
    else if (begun && missing.size === 0) break;
  }
  return begun && missing.size === 0 ? found : undefined;
}

/** Returns the range around a word, limited by spaces if possible. */
function windowAround(text: string, word: TextRange): TextRange {
  let start = Math.max(0, word.start - BEFORE);
  if (start > 0) {
    const space = text.slice(start, word.start).search(/\s/);
    start = space < 0 ? wholeCharacter(text, start) : start + space + 1;
  }
  let end = Math.min(text.length, start + WIDTH);
  if (end < text.length) {
    const room = Math.max(0, end - word.end);
    const space = text.slice(word.end, word.end + room).search(/\s\S*$/);
    end = space < 0 ? wholeCharacter(text, end) : word.end + space;
  }
  return { start, end };
}

/** Moves a position out of the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}

/** Converts the text to a single line, without marks that look like those of matching words. */
function unmarked(text: string): string {
  return text
    .replaceAll(/\*{2,}/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed();
}
