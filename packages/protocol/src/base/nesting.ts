/**
 * How deep JSON may be nested (SAFE-3). What walks through a value calls itself once a level, and a few thousand levels
 * are the end of every such walk; so values from outside are measured before anything walks through them.
 */

/** Levels of what clients, modules, guests and providers send. */
export const MOST_LEVELS = 128;
/** Levels of the input of a call. It travels inside other values, which have to fit into MOST_LEVELS. */
export const MOST_INPUT_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Bytes up to which a piece is looked at byte by byte. */
const SHORT_BYTES = 1024;

/** Measures how deep JSON is nested while its bytes come, in time linear in their number and with no memory of them. */
export class NestingMeter {
  readonly #most: number;
  #levels = 0;
  #inString = false;
  /** The piece before ended in a string, behind a backslash that belongs to the next character. */
  #escaped = false;

  /** @param most the levels that are still allowed */
  constructor(most: number) {
    this.#most = most;
  }

  /** Forgets all that came, because another value begins. */
  reset(): void {
    this.#levels = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Takes the next piece, which is a part of bytes in UTF-8; returns whether the value is nested deeper than allowed. */
  isTooDeep(bytes: Uint8Array, from = 0, to = bytes.length): boolean {
    return to - from <= SHORT_BYTES
      ? this.#isShortTooDeep(bytes, from, to)
      : this.#isLongTooDeep(bytes, from, to);
  }

  /** Looks at each byte: in the short strings of a token that is faster than any search. */
  #isShortTooDeep(bytes: Uint8Array, from: number, to: number): boolean {
    let levels = this.#levels;
    let inString = this.#inString;
    let escaped = this.#escaped;
    for (let at = from; at < to && levels <= this.#most; at++) {
      const byte = bytes[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else inString = byte !== QUOTE;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OBJECT || byte === ARRAY) levels += 1;
      else if (byte === OBJECT_END || byte === ARRAY_END) levels = Math.max(0, levels - 1);
    }
    this.#levels = levels;
    this.#inString = inString;
    this.#escaped = escaped;
    return levels > this.#most;
  }

  #isLongTooDeep(bytes: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      if (this.#inString) at = this.#endOfString(bytes, at, to);
      else if (bytes[at] === QUOTE) this.#inString = true;
      else if (bytes[at] === OBJECT || bytes[at] === ARRAY) this.#levels += 1;
      else if (bytes[at] === OBJECT_END || bytes[at] === ARRAY_END)
        this.#levels = Math.max(0, this.#levels - 1);
      if (this.#levels > this.#most) return true;
    }
    return false;
  }

  /** Leaves the string where it ends; returns the place of the next quote, or the end of the piece. */
  #endOfString(piece: Uint8Array, from: number, to: number): number {
    const found = piece.indexOf(QUOTE, from);
    const quote = found < to ? found : -1;
    const end = quote === -1 ? to : quote;
    let slashes = 0;
    while (end - slashes > from && piece[end - slashes - 1] === BACKSLASH) slashes += 1;
    // A row of backslashes that reaches back to the beginning goes on one that the piece before ended with.
    if (slashes === end - from && this.#escaped) slashes += 1;
    const escaped = slashes % 2 === 1;
    this.#escaped = quote === -1 && escaped;
    if (quote !== -1 && !escaped) this.#inString = false;
    return end;
  }
}

/** Whether JSON, as text or as its bytes in UTF-8, is nested deeper than this many levels. */
export function isTextTooDeep(json: string | Uint8Array, most: number): boolean {
  const bytes = typeof json === 'string' ? new TextEncoder().encode(json) : json;
  return new NestingMeter(most).isTooDeep(bytes);
}

/** Whether a value that was JSON is nested deeper than this many levels. Looks no deeper than that itself. */
export function isTooDeep(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some(part => isTooDeep(part, most - 1));
}
