/** What of progress is shown: its end, and of a client's none of the secrets (OP-8). */
import { scrub } from './scrub.ts';

const MAX_BYTES = 8 * 1024;
/** Secrets are looked for in this much before the cut, so that none is cut in two and missed. */
const SCRUBBED_CHARS = 256 * 1024;

/** The last 8 KiB of a text as UTF-8, never beginning inside a character. @param secrets are replaced by `***` */
export function snapshotOf(output: string, secrets: readonly string[]): string {
  return lastBytes(scrub(output.slice(-SCRUBBED_CHARS), secrets));
}

/** The last 8 KiB of a text as UTF-8, from the beginning of a character on. */
export function lastBytes(text: string): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - MAX_BYTES);
  // Bytes 10xxxxxx go on with a character that began before.
  while (start > 0 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return bytes.toString('utf8', start);
}
