/** The end of a module that cannot begin: whoever started it gets to know why. */
import { errorLine, MessageStream, SERVER_ERROR } from '@chat-kernel/json-rpc';
import { MAX_LINE_BYTES } from '@chat-kernel/protocol';
import { printed } from './logger.ts';

/** The wait for a kernel at the other end: it speaks first, and at once. */
const PATIENCE_MS = 5_000;

/**
 * Ends the process with 1 and the error's sentence on stderr: `await loadConfig(Settings).catch(refuse)`. Over stdio a
 * kernel is answered before that with the same sentence, which it shows as the problem of the module (MOD-8).
 */
export async function refuse({ message }: Error): Promise<never> {
  printed.error(message);
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
    // Nobody may be there, and keep the pipe open for ever.
    const late = setTimeout(resolve, PATIENCE_MS);
    await over;
    clearTimeout(late);
  }
  process.exit(1);
}
