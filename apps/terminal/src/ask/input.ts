/** The text of stdin, to its end; stdin may stay open, or be a terminal. */
import { say } from '../program/say.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** After this time without a byte, a line says what the program waits for. */
const SILENT_MS = 3000;

/** Returns '' where stdin is a terminal. @throws Error for more than 16 MiB, or the reason of the signal */
export async function readInput(signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return '';
  const hint = setTimeout(
    () => say('chat-kernel ask: waits for stdin to end; < /dev/null gives none'),
    SILENT_MS,
  );
  const leave = () => stdin.destroy(signal.reason);
  signal.addEventListener('abort', leave);
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of stdin) {
      clearTimeout(hint);
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw new Error('stdin is longer than 16 MiB: send it along with --file');
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    clearTimeout(hint);
    signal.removeEventListener('abort', leave);
  }
}
