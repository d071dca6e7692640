/**
 * Measures the nesting and the number of values of JSON (SAFE-3, SAFE-7). Recursive code fails after a few thousand
 * levels, so external values are measured before any other code processes them.
 */

/** Maximum number of levels in values from clients, modules, guests and providers. */
export const MAX_LEVELS = 128;
/**
 * Maximum number of levels in the input of a call. It is contained in other values, which must fit into MOST_LEVELS.
 */
export const MAX_INPUT_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Pieces up to this size in bytes are examined byte by byte. */
const SHORT_BYTES = 1024;
/** Bytes of a string that are examined before a search, which takes as long as hundreds of them. */
const GLANCE_BYTES = 32;

/** Measures the nesting of JSON while its bytes arrive, in time linear in their number, without storing them. */
export class NestingMeter {
  readonly #most: number;
  #levels = 0;
  #values = 0;
  #inString = false;
  /** The previous piece ended in a string, after a backslash that belongs to the next character. */
  #escaped = false;

  /** @param most the number of allowed levels */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of commas and opening brackets so far: no value is without one, except the first. */
  get values(): number {
    return this.#values;
  }

  /** Resets the state, because another value begins. */
  reset(): void {
    this.#levels = 0;
    this.#values = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Processes the next piece of UTF-8 bytes; returns whether the value is nested deeper than allowed. */
  isTooDeep(bytes: Uint8Array, from = 0, to = bytes.length): boolean {
    return to - from <= SHORT_BYTES
      ? this.#isShortTooDeep(bytes, from, to)
      : this.#isLongTooDeep(bytes, from, to);
  }

  /** Examines each byte: for the short strings of a token that is faster than a search. */
  #isShortTooDeep(bytes: Uint8Array, from: number, to: number): boolean {
    let levels = this.#levels;
    let values = this.#values;
    let inString = this.#inString;
    let escaped = this.#escaped;
    for (let at = from; at < to && levels <= this.#most; at++) {
      const byte = bytes[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else inString = byte !== QUOTE;
      } else if (byte === QUOTE) inString = true;
      else if (byte === COMMA) values += 1;
      else if (byte === OBJECT || byte === ARRAY) {
        levels += 1;
        values += 1;
      } else if (byte === OBJECT_END || byte === ARRAY_END) levels = Math.max(0, levels - 1);
    }
    this.#levels = levels;
    this.#values = values;
    this.#inString = inString;
    this.#escaped = escaped;
    return levels > this.#most;
  }

  #isLongTooDeep(bytes: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (this.#inString) at = this.#endOfString(bytes, at, to);
      else if (byte === QUOTE) this.#inString = true;
      else if (byte === COMMA) this.#values += 1;
      else if (byte === OBJECT || byte === ARRAY) {
        this.#levels += 1;
        this.#values += 1;
        if (this.#levels > this.#most) return true;
      } else if (byte === OBJECT_END || byte === ARRAY_END) this.#levels = Math.max(0, this.#levels - 1);
    }
    return false;
  }

  /** Leaves the string at its end; returns the position of the next quote, or the end of the piece. */
  #endOfString(piece: Uint8Array, from: number, to: number): number {
    const glance = Math.min(from + GLANCE_BYTES, to);
    let found = from;
    while (found < glance && piece[found] !== QUOTE) found += 1;
    if (found === glance) found = piece.indexOf(QUOTE, found);
    const quote = found < to ? found : -1;
    const end = quote === -1 ? to : quote;
    let slashes = 0;
    while (end - slashes > from && piece[end - slashes - 1] === BACKSLASH) slashes += 1;
    // Backslashes from the beginning of the piece continue one at the end of the previous piece.
    if (slashes === end - from && this.#escaped) slashes += 1;
    const escaped = slashes % 2 === 1;
    this.#escaped = quote === -1 && escaped;
    if (quote !== -1 && !escaped) this.#inString = false;
    return end;
  }
}

/** Whether JSON, as text or as UTF-8 bytes, is nested deeper than this many levels. */
export function isTextTooDeep(json: string | Uint8Array, most: number): boolean {
  const bytes = typeof json === 'string' ? new TextEncoder().encode(json) : json;
  return new NestingMeter(most).isTooDeep(bytes);
}

/** Whether a parsed JSON value is nested deeper than this many levels. Does not recurse any deeper. */
export function isTooDeep(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some(part => isTooDeep(part, most - 1));
}
