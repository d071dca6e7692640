/**
 * Reads a tar file entry by entry, with only a piece of it in memory. Writes the two kinds of headers of an archive: POSIX
 * ustar (IEEE 1003.1), preceded by a pax header if the name or size does not fit into it.
 */
const BLOCK = 512;
const NAME_BYTES = 100;
/** Sizes are written in eleven octal digits. */
const MAX_SIZE = 0o77777777777;
/** Two empty blocks. */
export const END_OF_TAR: Uint8Array = Buffer.alloc(2 * BLOCK);

/** Returns the header of a file with this size in bytes; `modified` in seconds since 1970. */
export function tarHeader(path: string, size: number, modified: number): Buffer {
  const facts: Record<string, string> = {
    ...(Buffer.byteLength(path) > NAME_BYTES && { path }),
    ...(size > MAX_SIZE && { size: String(size) }),
  };
  const plain = ustar(path, Math.min(size, MAX_SIZE), modified, '0');
  if (Object.keys(facts).length === 0) return plain;
  const records = Buffer.from(Object.entries(facts).map(paxRecord).join(''));
  const pax = ustar('PaxHeader', records.length, modified, 'x');
  return Buffer.concat([pax, records, tarPadding(records.length), plain]);
}

/** Returns the padding after content of this size. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

function ustar(path: string, size: number, modified: number, type: '0' | 'x'): Buffer {
  const header = Buffer.alloc(BLOCK);
  // A long name is truncated here; the pax header before it has the full name.
  Buffer.from(path).copy(header, 0, 0, NAME_BYTES);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${Math.max(0, modified).toString(8).padStart(11, '0')}\0`, 136);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  header.write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Returns the sum of all bytes; the checksum field itself counts as spaces. */
function computeChecksum(header: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
  return sum;
}

/** Returns `<length> <key>=<value>\n`; the length includes its own digits. */
function paxRecord([key, value]: [string, string]): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

export interface TarEntry {
  path: string;
  /** Bytes. */
  size: number;
  /** The caller reads as much of it as needed before it requests the next entry. */
  content: AsyncIterable<Buffer>;
}

const PAX_BYTES = 64 * 1024;

/** @throws Error if the bytes are not a complete tar file of plain files */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = new Source(bytes);
  let long: { path?: string; size?: number } = {};
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.every(byte => byte === 0)) return;
    const { path, size, type } = parse(header);
    if (type === 'x') {
      if (size > PAX_BYTES) throw new Error('a header is too long');
      long = paxFacts(await source.take(size));
      await source.skip(countPadding(size));
      continue;
    }
    const whole = long.size ?? size;
    const content = source.pieces(whole);
    yield { path: long.path ?? path, size: whole, content };
    for await (const _ of content) {
      // Skips the rest that the reader of the entry did not read.
    }
    await source.skip(countPadding(whole));
    long = {};
  }
}

function parse(header: Buffer): { path: string; size: number; type: '0' | 'x' } {
  const number = (from: number, to: number) => Number.parseInt(text(header, from, to), 8);
  if (number(148, 156) !== computeChecksum(header)) throw new Error('a header is not as it was written');
  const type = text(header, 156, 157);
  if (type !== '0' && type !== 'x') throw new Error(`an entry is no plain file (type ${type})`);
  return { path: text(header, 0, 100), size: number(124, 136), type };
}

const text = (header: Buffer, from: number, to: number): string =>
  header.toString('utf8', from, to).split('\0')[0]?.trim() ?? '';

function paxFacts(records: Buffer): { path?: string; size?: number } {
  const facts: { path?: string; size?: number } = {};
  for (let at = 0; at < records.length; ) {
    const space = records.indexOf(' ', at);
    const length = Number(records.toString('latin1', at, space));
    if (space < 0 || !(length > 0)) throw new Error('a header is not as it was written');
    const [key, ...value] = records.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') facts.path = value.join('=');
    if (key === 'size') facts.size = Number(value.join('='));
    at += length;
  }
  return facts;
}

const countPadding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Splits a byte stream into pieces of requested sizes. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Returns all of the next `count` bytes. */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async skip(count: number): Promise<void> {
    await this.take(count);
  }

  /** Yields the next `count` bytes as they arrive. Bytes that a reader leaves are available for a second one. */
  pieces(count: number): AsyncIterable<Buffer> {
    let left = count;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (left === 0) return { done: true, value: undefined };
      while (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done) throw new Error('it ends too early');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      return { done: false, value: piece };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}
