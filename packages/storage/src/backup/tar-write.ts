/**
 * Writes the two kinds of headers of an archive: POSIX ustar (IEEE 1003.1), preceded by a pax header if the name or
 * size does not fit into it.
 */

export const BLOCK = 512;
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
export function computeChecksum(header: Uint8Array): number {
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
