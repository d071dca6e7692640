/** Decodes files for reading, whose end may be missing: text in UTF-8, or in UTF-16 with a byte order mark. */
import { decodeFile, findEncoding } from '@chat-kernel/hands/own-machine';

/**
 * Returns undefined for a binary file. Bytes that are not valid UTF-8 become U+FFFD.
 * @param isCut the file continues after the bytes
 */
export function decodeBeginning(bytes: Buffer, isCut: boolean): string | undefined {
  const encoding = findEncoding(bytes);
  if (encoding !== 'utf-8') return decodeFile(isCut ? wholeUnits(bytes, encoding) : bytes)?.text;
  if (bytes.includes(0)) return undefined;
  // Decoding as a stream drops a character that is cut in two.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}

/** UTF-16 without a character whose second half is cut off. */
function wholeUnits(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): Buffer {
  const end = bytes.length - (bytes.length % 2);
  const high = bytes[encoding === 'utf-16le' ? end - 1 : end - 2]!;
  return bytes.subarray(0, high >= 0xd8 && high < 0xdc ? end - 2 : end);
}
