/**
 * Decides which commands a lasting approval of a prefix covers, only by their text (HANDS-7, CONSENT-7). The kernel and
 * the client's machine each apply the same rules.
 */
import { areHarmless, type CommandWord, usefulWords } from './harmless-words.ts';

/** Characters with which a command may consist of several, write to other places, or look different from what it is. */
const NOT_PLAIN = /[^\P{C}\t]|[;&|<>()`$\\{}!#^%\u2028\u2029]/u;
const QUOTES = /["']/;

/**
 * Splits a command into the words for a prefix: those before the first quote. Empty if the command is not a single
 * plain command: it has operators, substitutions or redirections, or sets a variable first.
 */
export function prefixWords(command: string): string[] {
  if (NOT_PLAIN.test(command)) return [];
  const words = splitWords(command);
  if (words[0]?.includes('=')) return [];
  const quoted = words.findIndex(word => QUOTES.test(word));
  return quoted < 0 ? words : words.slice(0, quoted);
}

/** Whether the prefix consists of whole words at the beginning of a plain command, so that the owner may choose it. */
export function isPrefix(prefix: string, command: string): boolean {
  const wanted = splitWords(prefix);
  const words = prefixWords(command);
  return wanted.length > 0 && wanted.every((word, index) => word === words[index]);
}

/**
 * Whether an approval of the prefix covers the command: it begins with these words, and neither they nor others write
 * files or start programs in a way that the table of programs does not allow. Any prefix covers exactly its own words.
 */
export function prefixCovers(prefix: string, command: string): boolean {
  if (!isPrefix(prefix, command)) return false;
  const words = unquotedWords(command);
  const chosen = splitWords(prefix).length;
  return words !== undefined && (words.length === chosen || areHarmless(words, chosen));
}

/**
 * The prefix to suggest for a command, as a number of words: the narrowest one that is useful, such as `git status` for
 * `git status --short`, and covers this command. If none covers it, all words before the first quote.
 */
export function suggestedWords(command: string): number {
  const words = prefixWords(command);
  const plain = unquotedWords(command);
  if (plain === undefined) return words.length;
  for (let count = Math.min(usefulWords(plain), words.length); count < words.length; count++) {
    if (count > 0 && prefixCovers(words.slice(0, count).join(' '), command)) return count;
  }
  return words.length;
}

const splitWords = (text: string): string[] => text.split(/[ \t]/).filter(word => word !== '');

/** Splits a plain command like a shell. Undefined if a quote is not closed. */
function unquotedWords(command: string): CommandWord[] | undefined {
  const words: CommandWord[] = [];
  let word: CommandWord | undefined;
  let quote: string | undefined;
  for (const character of command) {
    if (quote === undefined && (character === ' ' || character === '\t')) {
      word = undefined;
      continue;
    }
    if (word === undefined) {
      word = { text: '', glob: false };
      words.push(word);
    }
    if (character === quote) quote = undefined;
    else if (quote === undefined && QUOTES.test(character)) quote = character;
    else {
      word.text += character;
      word.glob ||= quote === undefined && /[*?[]/.test(character);
    }
  }
  return quote === undefined ? words : undefined;
}
