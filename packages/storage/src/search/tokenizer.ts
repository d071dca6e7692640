/** Splits texts into normalized terms for comparison: without case and accents, identical in every database. */
import { setImmediate as nextTick } from 'node:timers/promises';

/** A normalized word and its position in the text. One position may have several words (½ is 1 and 2). */
interface Word {
  word: string;
  start: number;
  end: number;
}

/** Longer words are compared by their beginning of this length: most of them are encoded bytes. */
const WORD_CHARS = 64;
/** Indexed characters of a text; later words are not found. */
const TEXT_CHARS = 1_000_000;
/**
 * Maximum total characters of the distinct terms of a text, about 7000 words; later ones are not found. SQLite indexes a
 * text in one piece, and must not block other work for 50 ms (SAFE-7).
 */
const INDEX_CHARS = 50_000;

/** The number of words between two pauses: a few milliseconds. */
const STEP_WORDS = 10_000;

/** Characters of scripts without spaces between words. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`;
/** A sequence of letters and digits with their marks; in unspaced scripts, each character. */
const WORD = new RegExp(
  String.raw`${UNSPACED}\p{M}*|[[\p{L}\p{N}]--${UNSPACED}][[\p{L}\p{N}\p{M}]--${UNSPACED}]*`,
  'gv',
);
/** Marks on letters, and those that turn a digit into an emoji. */
const ACCENTS = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/g;
const ASCII = /^[\0-\x7f]+$/;

/** Returns each distinct word once, in the order of the text, up to the limit of the index. */
export function distinctWords(text: string): string[] {
  const words = new DistinctWords();
  for (const { word } of tokenize(text)) if (!words.add(word)) break;
  return words.list();
}

/** Does the same in steps: a long text would block the event loop of the main thread (SAFE-7). */
export async function distinctWordsInSteps(text: string): Promise<string[]> {
  const words = new DistinctWords();
  let count = 0;
  for (const { word } of tokenize(text)) {
    if (!words.add(word)) break;
    if (++count % STEP_WORDS === 0) await nextTick();
  }
  return words.list();
}

class DistinctWords {
  readonly #words = new Set<string>();
  #chars = 0;

  /** Returns whether the word had room. */
  add(word: string): boolean {
    if (this.#words.has(word)) return true;
    this.#chars += word.length + 1;
    if (this.#chars > INDEX_CHARS) return false;
    this.#words.add(word);
    return true;
  }

  list(): string[] {
    return [...this.#words];
  }
}

export function* tokenize(text: string): Generator<Word> {
  for (const { 0: found, index } of text.slice(0, TEXT_CHARS).matchAll(WORD)) {
    const end = index + found.length;
    if (ASCII.test(found)) yield { word: cut(found.toUpperCase()), start: index, end };
    else for (const word of fold(found)) yield { word: cut(word), start: index, end };
  }
}

/** Converts to lower case first: otherwise ẞ does not become SS. */
function fold(found: string): readonly string[] {
  return found.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase().toUpperCase().match(WORD) ?? [];
}

const cut = (word: string): string => word.slice(0, WORD_CHARS).toWellFormed();
