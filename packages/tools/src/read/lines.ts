/** The text of a file for the model: some of its lines, each within bounds, and how to read on. */
import { cutText, sizeForPeople } from '@chat-kernel/protocol';

/** Lines and characters of a file in an answer, and characters of a line. */
export const MAX_LINES = 2000;
const MAX_CHARS = 150_000;
const MAX_LINE_CHARS = 2000;

export interface FileText {
  text: string;
  failed: boolean;
  /** True where the client did not answer. */
  silent?: boolean;
}

/** The range of lines, counted from 1. */
interface WantedLines {
  offset?: number | undefined;
  limit?: number | undefined;
}

/**
 * Returns the wanted lines, as many as fit.
 * @param size bytes of the whole file
 * @param beyond a note, where the file goes on behind the text
 */
export function linesOf(
  text: string,
  { offset = 1, limit = MAX_LINES }: WantedLines,
  { size, beyond }: { size: number; beyond?: string },
): FileText {
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

export const failed = (text: string): FileText => ({ text, failed: true });

/** Returns as many whole lines as there is room for, so that the model can read on from the next. */
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
