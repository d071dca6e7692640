/**
 * The elements of a JSON array as their bytes, one after the other, of which one is in memory at a time. Only brackets,
 * quotes and commas are looked at: what is between is parsed by whoever wants it, and where that fails the next element
 * is as good as before (docs/decisions/0049).
 */
import { NothingToImport } from '../base/incoming.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** An element; undefined where it has more bytes than are taken. */
type Element = Buffer | undefined;

/**
 * A file that is no array but an object has that one element.
 * @param most bytes of an element
 * @throws NothingToImport where the file is neither, or ends too early
 */
export async function* elementsOf(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Element> {
  const scan = new Scan(most);
  for await (const chunk of bytes) yield* scan.take(chunk);
  scan.end();
}

/** Most elements lie within one chunk, and need no memory of their own. */
const joined = (pieces: Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);

class Scan {
  readonly #most: number;
  /** Brackets that are open, the array's own counted. */
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

  /** Returns the place where the first element begins. */
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
    // An empty array has none.
    if (element?.every(isBlank)) return;
    yield element;
  }
}
