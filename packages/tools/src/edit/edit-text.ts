/** Applies an edit that the model requested: returns the new text, or the reason why it failed (BT-1). */
import { keepLineEnds, type LineEnd, PathError, withoutMark } from '@chat-kernel/hands/own-machine';
import { cutText } from '@chat-kernel/text';

export interface TextEdit {
  /** The path as the model wrote it. */
  path: string;
  old: string;
  new: string;
  all?: boolean | undefined;
}

/** Returns the new text, and the output for the model. @throws PathError with what the model must do differently */
export function editText(text: string, edit: TextEdit): { text: string; output: string } {
  const { path, old, all = false } = edit;
  const replaced = replacePart(text, old, edit.new);
  const { lines } = replaced;
  if (lines.length === 0) throw new PathError(`\`old\` is not in ${path}. ${hintFor(text, old)}`);
  if (lines.length > 1 && !all) {
    throw new PathError(
      `\`old\` is in ${path} ${lines.length} times, ${describeLines(lines)}. Include more surrounding text, or set \`all\`.`,
    );
  }
  return { text: replaced.text, output: `Edited ${path}, ${describeLines(lines)}.` };
}

export const notText = (path: string): PathError =>
  new PathError(`${path} is a binary file or not UTF-8. edit_file cannot change it.`);

function hintFor(text: string, old: string): string {
  const near = nearestLines(withoutMark(text), old);
  return near.length === 0
    ? 'The file contains nothing similar. Read the file first.'
    : `Nearest lines:\n${near.join('\n')}\nGive \`old\` exactly as in the file, including white space.`;
}

/** Further occurrences are only counted. */
const MAX_PLACES = 20;

function describeLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const more = lines.length > MAX_PLACES ? ` and ${lines.length - MAX_PLACES} more` : '';
  return `lines ${lines.slice(0, MAX_PLACES).join(', ')}${more}`;
}

interface ReplacedText {
  /** The whole new text. */
  text: string;
  /** The line, from 1, at which each occurrence began; empty if there was none. */
  lines: number[];
}

/**
 * Replaces each occurrence. A \n of the model matches each line end, because the model does not see which one a line has.
 * Lines keep their ends, and new ones end like their neighbors.
 */
function replacePart(text: string, old: string, next: string): ReplacedText {
  const mayMatchExactly = old.includes('\r') || !text.includes('\r\n');
  for (const find of mayMatchExactly ? [findExactly, findAcrossLineEnds] : [findAcrossLineEnds]) {
    const spans = find(text, old);
    if (spans.length > 0) return replaceSpans(text, spans, next);
  }
  // If the model wrote \r\n for lines that do not end with it, it does not mean \r\n in the new text either.
  const spans = old.includes('\r\n') ? findAcrossLineEnds(text, withLf(old)) : [];
  return replaceSpans(text, spans, withLf(next));
}

/** The beginning and end of a part of a text. */
type Span = readonly [start: number, end: number];

function findExactly(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push([at, at + wanted.length]);
  }
  return spans;
}

/** Finds a text whose \n matches each line end. */
function findAcrossLineEnds(text: string, wanted: string): Span[] {
  const pieces = text.split('\r\n');
  // The positions of \r\n, as if each were one character.
  const ends: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    ends.push(length++);
  }
  let passed = 0;
  const inText = (at: number): number => {
    while (ends[passed]! < at) passed++;
    return at + passed;
  };
  return findExactly(pieces.join('\n'), wanted).map(([start, end]) => [inText(start), inText(end)]);
}

function replaceSpans(text: string, spans: readonly Span[], next: string): ReplacedText {
  const endOf = createEndFinder(text);
  const isPlain = !next.includes('\n') || !text.includes('\r\n');
  const parts: string[] = [];
  const lines: number[] = [];
  let line = 1;
  let done = 0;
  for (const [start, end] of spans) {
    const before = text.slice(done, start);
    const replaced = text.slice(start, end);
    line += newlines(before);
    lines.push(line);
    line += newlines(replaced);
    parts.push(before, isPlain ? next : keepLineEnds(next, replaced, endOf(start)));
    done = end;
  }
  return { text: parts.join('') + text.slice(done), lines };
}

/** Returns a function for the end of the line at a position, which must grow; of the line before, if it is the last. */
function createEndFinder(text: string): (at: number) => LineEnd {
  let next = -1;
  const last = text.lastIndexOf('\n');
  return at => {
    if (next < at && next !== last) next = text.indexOf('\n', at);
    if (next === -1) next = last;
    return text[next - 1] === '\r' ? '\r\n' : '\n';
  };
}

const withLf = (text: string): string => text.replaceAll('\r\n', '\n');
const newlines = (text: string): number => text.split('\n').length - 1;

const MAX_LINES = 3;
/** The minimum useful similarity. */
const MIN_SIMILARITY = 0.4;
const MAX_LINE_CHARS = 500;
/** Only the beginning of a long file is compared, to limit the time. */
const COMPARED_LINES = 20_000;

/**
 * Finds the lines of a file that are most similar to the missing text, so that the model sees its mistake. Returns at
 * most three lines as `number: text`, in the order of the file.
 */
function nearestLines(text: string, wanted: string): string[] {
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
