/** What the model is shown of a text file: some of its lines, each within bounds, and how to read on. */
import { cutText, sizeForPeople } from '@chat-kernel/protocol';

/** Lines and characters of one file in one answer, and characters of one line. */
export const MAX_LINES = 2000;
const MAX_CHARS = 150_000;
const MAX_LINE_CHARS = 2000;

export interface Read {
  text: string;
  failed: boolean;
  /** The client did not answer. */
  silent?: boolean;
}

/** Which lines, from 1. */
interface Wanted {
  offset?: number | undefined;
  limit?: number | undefined;
}

/**
 * @param size of the whole file, in bytes
 * @param beyond a note, where the file goes on behind the text
 */
export function linesOf(
  text: string,
  { offset = 1, limit = MAX_LINES }: Wanted,
  { size, beyond }: { size: number; beyond?: string },
): Read {
  if (text.includes('\0')) return failed(`This is a binary file of ${sizeForPeople(size)}.`);
  if (text === '') return { text: '[the file is empty]', failed: false };
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (offset > all.length) return failed(`The file has ${all.length} lines; there is no line ${offset}.`);
  const shown = fitting(all.slice(offset - 1, offset - 1 + limit).map(shortened));
  const last = offset - 1 + shown.length;
  const more = `lines ${offset} to ${last} of ${all.length}; read on with offset ${last + 1}`;
  const notes = [...(last < all.length ? [more] : []), ...(beyond === undefined ? [] : [beyond])];
  return { text: [...shown, ...notes.map(note => `[${note}]`)].join('\n'), failed: false };
}

export const failed = (text: string): Read => ({ text, failed: true });

/** As many whole lines as there is room for: the rest is read on from the next. */
function fitting(lines: readonly string[]): string[] {
  let left = MAX_CHARS;
  const end = lines.findIndex(line => {
    left -= line.length + 1;
    return left < 0;
  });
  return lines.slice(0, end === -1 ? undefined : end);
}

function shortened(line: string): string {
  const shown = cutText(line, MAX_LINE_CHARS);
  return shown === line ? line : `${shown} [${line.length - shown.length} more characters]`;
}
