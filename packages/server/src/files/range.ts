/** The header Range (RFC 9110, 14): one piece of a file. */

/** Both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** `null`: answer with the whole file, as for several pieces and for what is no range; `'none'`: there are no such bytes. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | null {
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
