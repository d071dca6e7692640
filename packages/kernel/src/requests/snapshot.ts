/** Creates snapshots of progress: the end of the output, without secrets if it is a client's output (OP-8). */
import { redactSecrets } from './redact-secrets.ts';

const MAX_BYTES = 8 * 1024;
/**
 * The number of characters at the end that are searched for secrets: more than are shown, so that no secret is cut in
 * two and missed.
 */
const SCRUBBED_CHARS = 256 * 1024;

/**
 * The last 8 KiB of a text as UTF-8, beginning with a whole character.
 * @param secrets texts that are replaced by `***`
 */
export function toSnapshot(output: string, secrets: readonly string[]): string {
  return lastBytes(redactSecrets(output.slice(-SCRUBBED_CHARS), secrets));
}

/** The last 8 KiB of a text as UTF-8, beginning with a whole character. */
export function lastBytes(text: string): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - MAX_BYTES);
  // A byte 10xxxxxx belongs to a character that began before it.
  while (start > 0 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return bytes.toString('utf8', start);
}
