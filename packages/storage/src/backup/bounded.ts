/** Reads parts of an archive within limits: a few bytes can unpack to any size (SAFE-7). */

/** Maximum length of one row: twice the largest body of a request, because its text is escaped again. */
const MAX_ROW_BYTES = 160 * 1024 * 1024;
/** Maximum length of the head, the manifest and the other short parts. */
const MAX_SHORT_BYTES = 16 * 1024 * 1024;
/** Rows that are read before they are used, at most: by number, and by bytes. */
const ROWS = 1000;
const ROWS_BYTES = 4 * 1024 * 1024;
/** An archive may always unpack to so many bytes, and otherwise to so many times its own. */
const FREE_BYTES = 4 * 1024 ** 3;
const MAX_RATIO = 1000;

const LINE_END = 0x0a;

/** @throws Error for a longer text */
export async function readShortText(
  content: AsyncIterable<Buffer>,
  name: string,
  most = MAX_SHORT_BYTES,
): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > most) throw new Error(`${name} has more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Yields the lines in groups; text after the last line end is not a line. @throws Error for a longer line */
export async function* readLines(
  content: AsyncIterable<Buffer>,
  name: string,
  most = MAX_ROW_BYTES,
): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let bytes = 0;
  let open: Buffer[] = [];
  let openBytes = 0;
  for await (const piece of content) {
    for (let from = 0; from < piece.length; ) {
      const end = piece.indexOf(LINE_END, from);
      const part = piece.subarray(from, end === -1 ? undefined : end);
      openBytes += part.length;
      if (openBytes > most) throw new Error(`a row of ${name} has more than ${most} bytes`);
      open.push(part);
      if (end === -1) break;
      lines.push(Buffer.concat(open).toString());
      bytes += openBytes;
      [open, openBytes, from] = [[], 0, end + 1];
      if (lines.length < ROWS && bytes < ROWS_BYTES) continue;
      yield lines;
      [lines, bytes] = [[], 0];
    }
  }
  if (lines.length > 0) yield lines;
}

/** Yields the unpacked bytes of an archive of this size. @throws Error if they are too many */
export async function* readBounded(
  bytes: AsyncIterable<Buffer>,
  archiveBytes: number,
): AsyncGenerator<Buffer> {
  const most = Math.max(FREE_BYTES, MAX_RATIO * archiveBytes);
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > most) throw new Error(`it unpacks to more than ${most} bytes`);
    yield piece;
  }
}
