/**
 * Splits a JSON array into the bytes of its elements, with only one of them in memory at a time. Only brackets, quotes
 * and commas are examined. The consumer parses the elements, so an invalid element does not affect the next one
 * (docs/decisions/0049).
 */
import { NothingToImport } from '../base/incoming.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** An element; undefined if it exceeds the size limit. */
type Element = Buffer | undefined;

/**
 * A file that contains an object instead of an array has that one element.
 * @param most bytes of an element
 * @throws NothingToImport if the file contains neither, or ends too early
 */
export async function* readElements(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Element> {
  const scan = new Scan(most);
  for await (const chunk of bytes) yield* scan.take(chunk);
  scan.end();
}

/** Most elements are within one chunk, and need no copy. */
const joined = (pieces: Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

class Scan {
  readonly #most: number;
  /** Open brackets, including that of the array. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'before' | 'inside' | 'behind' = 'before';
  #isArray = false;
  #pieces: Buffer[] = [];
  #size = 0;
  #seen = 0;

  constructor(most: number) {
    this.#most = most;
  }

  *take(chunk: Buffer): Generator<Element> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      this.#seen += 1;
      if (this.#inString) this.#goOnInString(byte);
      else if (this.#state !== 'inside') from = this.#outside(byte, at);
      else if (byte === QUOTE) this.#inString = true;
      else if (byte === OBJECT || byte === ARRAY) this.#depth += 1;
      else if (byte === OBJECT_END || byte === ARRAY_END) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        yield* this.#ended(chunk.subarray(from, this.#isArray ? at : at + 1));
        this.#state = 'behind';
      } else if (byte === COMMA && this.#depth === 1 && this.#isArray) {
        yield* this.#ended(chunk.subarray(from, at));
        from = at + 1;
      }
    }
    if (this.#state === 'inside') this.#keep(chunk.subarray(from));
  }

  /** @throws NothingToImport */
  end(): void {
    if (this.#state === 'before') throw new NothingToImport('it is empty');
    if (this.#state === 'inside') throw new NothingToImport('it ends in the middle of a conversation');
  }

  #goOnInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else this.#inString = byte !== QUOTE;
  }

  /** Returns the position at which the first element begins. */
  #outside(byte: number, at: number): number {
    const isMark = this.#seen <= 3 && byte === BYTE_ORDER_MARK[this.#seen - 1];
    if (isBlank(byte) || isMark) return at + 1;
    if (this.#state === 'behind') throw new NothingToImport('something stands behind its end');
    if (byte !== ARRAY && byte !== OBJECT) throw new NothingToImport('it is no JSON with conversations');
    this.#state = 'inside';
    this.#isArray = byte === ARRAY;
    this.#depth = 1;
    return this.#isArray ? at + 1 : at;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= this.#most) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  *#ended(piece: Buffer): Generator<Element> {
    this.#keep(piece);
    const element = this.#size > this.#most ? undefined : joined(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    // An empty array has no elements.
    if (element?.every(isBlank)) return;
    yield element;
  }
}
