/** Selects lines of a file for the model, within limits, and says how to read the rest. */
import { withoutMark } from '@chat-kernel/hands/own-machine';
import { sizeForPeople } from '@chat-kernel/protocol';
import { cutWithCount } from '@chat-kernel/text';

/** Limits of one output: lines and characters of a file, and characters of a line. */
export const MAX_LINES = 2000;
const MAX_CHARS = 150_000;
const MAX_LINE_CHARS = 2000;

export interface FileText {
  text: string;
  failed: boolean;
  /** True if the client did not answer. */
  silent?: boolean;
}

/** The range of lines, counted from 1. */
interface LineRange {
  offset?: number | undefined;
  limit?: number | undefined;
}

/**
 * Returns the requested lines, as many as fit.
 * @param text undefined if the file is binary
 * @param size bytes of the whole file
 * @param beyond a note if the file continues after the text
 */
export function selectLines(
  text: string | undefined,
  { offset = 1, limit = MAX_LINES }: LineRange,
  { size, beyond }: { size: number; beyond?: string },
): FileText {
  if (text === undefined || text.includes('\0'))
    return failed(`This is a binary file of ${sizeForPeople(size)}.`);
  const shownText = withoutMark(text);
  if (shownText === '') return { text: '[the file is empty]', failed: false };
  const all = shownText.replace(/\r?\n$/, '').split(/\r?\n/);
  if (offset > all.length) return failed(`The file has ${all.length} lines; there is no line ${offset}.`);
  const shown = takeFitting(
    all.slice(offset - 1, offset - 1 + limit).map(line => cutWithCount(line, MAX_LINE_CHARS)),
  );
  const last = offset - 1 + shown.length;
  const more = `lines ${offset} to ${last} of ${all.length}; continue with offset ${last + 1}`;
  const notes = [...(last < all.length ? [more] : []), ...(beyond === undefined ? [] : [beyond])];
  return { text: [...shown, ...notes.map(note => `[${note}]`)].join('\n'), failed: false };
}

export const failed = (text: string): FileText => ({ text, failed: true });

/** Returns as many whole lines as fit, so that the model can continue with the next. */
function takeFitting(lines: readonly string[]): string[] {
  let remaining = MAX_CHARS;
  const end = lines.findIndex(line => {
    remaining -= line.length + 1;
    return remaining < 0;
  });
  return lines.slice(0, end === -1 ? undefined : end);
}
