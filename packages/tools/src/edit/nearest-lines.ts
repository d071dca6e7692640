/** The lines of a file that are most like the text that was not found, so that a model sees its mistake. */
import { cutText } from '@chat-kernel/protocol';

const MAX_LINES = 3;
/** The least likeness that helps. */
const LEAST = 0.4;
const MAX_LINE_CHARS = 500;
/** Only the beginning of a long file is compared: a hint is not worth a wait. */
const COMPARED_LINES = 20_000;

/** Returns at most three lines as `number: text`, in the order of the file. */
export function nearestLines(text: string, wanted: string): string[] {
  const line = longestOf(wanted);
  const pairs = pairsOf(line);
  if (pairs.size === 0) return [];
  return text
    .split(/\r?\n/, COMPARED_LINES)
    .map((candidate, index) => ({ index, candidate, likeness: likeness(pairs, pairsOf(candidate)) }))
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_LINES)
    .sort((a, b) => a.index - b.index)
    .map(({ index, candidate }) => `${index + 1}: ${cutText(candidate, MAX_LINE_CHARS)}`);
}

/** Returns the longest line, which says most about the place that was meant. */
const longestOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest));

/** Returns the pairs of neighbouring characters, white space aside. */
function pairsOf(line: string): Set<string> {
  const letters = line.slice(0, MAX_LINE_CHARS).replace(/\s+/g, '');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) => letters.slice(index, index + 2)),
  );
}

/** Returns a number from 0, nothing in common, to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
}
