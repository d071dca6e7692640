/**
 * Text files with their encoding, byte order mark and line ends. Decoding is strict, so encoding the same text gives the
 * same bytes: a write changes only what it is meant to change.
 */

export interface FileText {
  /** Begins with U+FEFF if the file has a byte order mark. */
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
}

export type LineEnd = '\n' | '\r\n';

const MARK = '\ufeff';

/** Decodes UTF-8, and UTF-16 with a byte order mark; undefined if the bytes are not valid text, or contain U+0000. */
export function decodeFile(bytes: Uint8Array): FileText | undefined {
  const encoding = findEncoding(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : { text, encoding };
  } catch {
    return undefined;
  }
}

/** The encoding by the byte order mark; without one, only UTF-8 can be recognized. */
export function findEncoding([first, second]: Uint8Array): FileText['encoding'] {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export function encodeFile({ text, encoding }: FileText): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  // Without its mark, the file would no longer be text.
  const marked = (text.startsWith(MARK) ? text : MARK + text).toWellFormed();
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < marked.length; at++) {
    view.setUint16(at * 2, marked.charCodeAt(at), encoding === 'utf-16le');
  }
  return bytes;
}

/** The text without its byte order mark, as people and models read it. */
export const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text);

/**
 * Returns the text of a file whose whole content is replaced: it keeps its byte order mark and its line ends. A content
 * with \r\n has its own line ends.
 */
export function keepForm(content: string, current: string): string {
  const body = withoutMark(content);
  const mark = current.startsWith(MARK) || content.startsWith(MARK) ? MARK : '';
  if (!current.includes('\r\n') || body.includes('\r\n')) return mark + body;
  return mark + keepLineEnds(body, withoutMark(current), usualEnd(current));
}

/**
 * Gives each \n of a text the line end of the same line in the text that it replaces. New lines end like the line before.
 * @param first the end of a new first line
 */
export function keepLineEnds(next: string, previous: string, first: LineEnd): string {
  const fresh = next.split('\n');
  const old = previous.split('\n').map(toLine);
  const [many, few] = [fresh.length - 1, old.length - 1];
  const both = Math.min(many, few);
  let begin = 0;
  while (begin < both && fresh[begin] === old[begin]!.text) begin++;
  let rest = 0;
  if (fresh[many] === old[few]!.text) {
    while (rest < both - begin && fresh[many - 1 - rest] === old[few - 1 - rest]!.text) rest++;
  }
  const ends = endsByText(old.slice(0, few));
  let end = first;
  const lines = fresh.slice(0, many).map((text, index) => {
    // The line has an end of its own.
    if (text.endsWith('\r')) return `${text}\n`;
    if (index < begin) end = old[index]!.end;
    else if (index >= many - rest) end = old[index - many + few]!.end;
    else end = ends.get(text) ?? (many === few ? old[index]!.end : end);
    return text + end;
  });
  return lines.join('') + fresh[many];
}

interface Line {
  text: string;
  end: LineEnd;
}

const toLine = (line: string): Line =>
  line.endsWith('\r') ? { text: line.slice(0, -1), end: '\r\n' } : { text: line, end: '\n' };

/** The ends of lines by their text; undefined for lines that occur with both ends. */
function endsByText(lines: readonly Line[]): Map<string, LineEnd | undefined> {
  const ends = new Map<string, LineEnd | undefined>();
  for (const { text, end } of lines)
    ends.set(text, !ends.has(text) || ends.get(text) === end ? end : undefined);
  return ends;
}

/** The line end that most lines have. */
function usualEnd(text: string): LineEnd {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 >= all ? '\r\n' : '\n';
}
