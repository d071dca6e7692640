/** Exits with an error message if the module cannot start. */
import { errorLine, MessageStream, SERVER_ERROR } from '@chat-kernel/json-rpc';
import { MAX_LINE_BYTES } from '@chat-kernel/protocol';
import { stderrLogger } from './logger.ts';

/** How long to wait for a kernel at the other end, which sends the first message immediately. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

/**
 * Ends the process with 1 and the error's sentence on stderr: `await loadConfig(Settings).catch(refuse)`. Over stdio,
 * it first answers the kernel with the same sentence, which the kernel shows as the problem of the module (MOD-8).
 */
export async function refuse({ message }: Error): Promise<never> {
  stderrLogger.error(message);
  if (!process.stdin.isTTY) {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const stream = new MessageStream({
      streams: { readable: process.stdin, writable: process.stdout },
      maxLineBytes: MAX_LINE_BYTES,
      onMessage(said) {
        if (said.kind === 'request') stream.send(errorLine(said.id, SERVER_ERROR, message));
      },
      onLineTooLong: resolve,
      onEnd: () => resolve(),
    });
    // There may be no kernel at the other end, and the pipe may stay open forever.
    const late = setTimeout(resolve, HANDSHAKE_TIMEOUT_MS);
    await over;
    clearTimeout(late);
  }
  process.exit(1);
}
