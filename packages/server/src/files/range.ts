/** Parses the header Range (RFC 9110, 14) if it requests a single range of bytes (docs/decisions/0022). */

/** First and last byte, both included. */
interface RequestedRange {
  start: number;
  end: number;
}

/**
 * Returns null for the whole file, also if there is no range, several or a malformed one, and `'none'` if the file has
 * no such bytes.
 */
export function parseRange(header: string | undefined, size: number): RequestedRange | 'none' | null {
  // bounded: by the size of a header.
  const [, first = '', last = ''] = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'none' : { start, end };
}
