/** The words of a text in the form in which they are compared: no case, no accents, alike in every database. */

/** A word as it is compared, and where it stands in its text. The same place may hold several words (½ is 1 and 2). */
interface Word {
  word: string;
  start: number;
  end: number;
}

/** Words with the same beginning of this length count as the same: longer ones are mostly encoded bytes. */
const WORD_CHARS = 64;
/** Characters of a text that are indexed; words behind them are not found. */
const TEXT_CHARS = 1_000_000;
/** Characters of the different words of a text together: Postgres takes 1 MB, and a character may have 3 bytes. */
const INDEX_CHARS = 300_000;

/** Characters of scripts that set no spaces between words. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`;
/** Letters and digits in a row with the marks on them; in unspaced scripts, each character. */
const WORD = new RegExp(
  String.raw`${UNSPACED}\p{M}*|[[\p{L}\p{N}]--${UNSPACED}][[\p{L}\p{N}\p{M}]--${UNSPACED}]*`,
  'gv',
);
/** Marks on letters, and those that make an emoji of a digit. */
const ACCENTS = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/g;
const ASCII = /^[\0-\x7f]+$/;

/** Each different word once, in the order of the text, as many as an index takes. */
export function distinctWords(text: string): string[] {
  const words = new Set<string>();
  let chars = 0;
  for (const { word } of wordsIn(text)) {
    if (words.has(word)) continue;
    chars += word.length + 1;
    if (chars > INDEX_CHARS) break;
    words.add(word);
  }
  return [...words];
}

export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: found, index } of text.slice(0, TEXT_CHARS).matchAll(WORD)) {
    const end = index + found.length;
    if (ASCII.test(found)) yield { word: cut(found.toUpperCase()), start: index, end };
    else for (const word of fold(found)) yield { word: cut(word), start: index, end };
  }
}

/** Goes by lower case: ẞ has no other way to SS. */
function fold(found: string): readonly string[] {
  return found.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase().toUpperCase().match(WORD) ?? [];
}

const cut = (word: string): string => word.slice(0, WORD_CHARS).toWellFormed();
