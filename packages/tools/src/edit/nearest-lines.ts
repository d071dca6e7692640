/** Finds the lines of a file that are most similar to the missing text, so that the model sees its mistake. */
import { cutText } from '@chat-kernel/text';

const MAX_LINES = 3;
/** The minimum useful similarity. */
const MIN_SIMILARITY = 0.4;
const MAX_LINE_CHARS = 500;
/** Only the beginning of a long file is compared, to limit the time. */
const COMPARED_LINES = 20_000;

/** Returns at most three lines as `number: text`, in the order of the file. */
export function nearestLines(text: string, wanted: string): string[] {
  const line = findLongestLine(wanted);
  const pairs = characterPairs(line);
  if (pairs.size === 0) return [];
  return text
    .split(/\r?\n/, COMPARED_LINES)
    .map((candidate, index) => ({ index, candidate, likeness: likeness(pairs, characterPairs(candidate)) }))
    .filter(({ likeness }) => likeness >= MIN_SIMILARITY)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_LINES)
    .sort((a, b) => a.index - b.index)
    .map(({ index, candidate }) => `${index + 1}: ${cutText(candidate, MAX_LINE_CHARS)}`);
}

/** Returns the longest line, which identifies the intended part best. */
const findLongestLine = (text: string): string =>
  text
    .split(/\r?\n/)
    .reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest));

/** Returns the pairs of neighboring characters, without white space. */
function characterPairs(line: string): Set<string> {
  const letters = line.slice(0, MAX_LINE_CHARS).replace(/\s+/g, '');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
}

/** Returns the similarity from 0 (nothing in common) to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
}
