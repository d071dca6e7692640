/** Applies an edit that the model requested: returns the new text, or the reason why it failed (BT-1). */
import { PathError } from '@chat-kernel/hands/own-machine';
import { nearestLines } from './nearest-lines.ts';

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
  const near = nearestLines(text, old);
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
 * Replaces each occurrence. The model writes \n, which matches \r\n in a file with such line ends; these lines keep
 * their ends.
 */
function replacePart(text: string, old: string, next: string): ReplacedText {
  const windows = /\r\n/.test(text);
  const unixLines = /(?<!\r)\n/.test(text);
  const exact = replaceExactly(text, old, next);
  if (!windows || (unixLines && exact.lines.length > 0)) return exact;
  return replaceExactly(text, withCrLf(old), withCrLf(next));
}

function replaceExactly(text: string, old: string, next: string): ReplacedText {
  const pieces = text.split(old);
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, -1)) {
    line += newlines(piece);
    lines.push(line);
    line += newlines(old);
  }
  return { text: pieces.join(next), lines };
}

const withCrLf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const newlines = (text: string): number => text.split('\n').length - 1;
