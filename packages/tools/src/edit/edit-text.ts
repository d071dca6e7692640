/** An edit of a text at the model's request: the new text, or the reason why there is none (BT-1). */
import { PathError } from '../machine/machine-path.ts';
import { nearestLines } from './nearest-lines.ts';
import { replacePart } from './replace-part.ts';

export interface TextEdit {
  /** The path as the model wrote it. */
  path: string;
  old: string;
  new: string;
  all?: boolean | undefined;
}

/** Returns the text afterwards, and the output for the model. @throws PathError: what the model has to do differently */
export function editText(text: string, edit: TextEdit): { text: string; output: string } {
  const { path, old, all = false } = edit;
  const replaced = replacePart(text, old, edit.new);
  const { lines } = replaced;
  if (lines.length === 0) throw new PathError(`\`old\` is not in ${path}. ${hintFor(text, old)}`);
  if (lines.length > 1 && !all) {
    throw new PathError(
      `\`old\` is in ${path} ${lines.length} times, ${placesOf(lines)}: give more of what stands around the one you mean, or set \`all\`.`,
    );
  }
  return { text: replaced.text, output: `Edited ${path}, ${placesOf(lines)}.` };
}

export const notText = (path: string): PathError =>
  new PathError(`${path} is a binary file, or not UTF-8: edit_file cannot change it.`);

function hintFor(text: string, old: string): string {
  const near = nearestLines(text, old);
  return near.length === 0
    ? 'Nothing in it is like it: read the file first.'
    : `Nearest lines:\n${near.join('\n')}\nGive \`old\` exactly as it stands there, white space included.`;
}

/** Places beyond this number are counted, not named. */
const MAX_PLACES = 20;

function placesOf(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const more = lines.length > MAX_PLACES ? ` and ${lines.length - MAX_PLACES} more` : '';
  return `lines ${lines.slice(0, MAX_PLACES).join(', ')}${more}`;
}
