/** Ctrl-C, SIGTERM and a reader that went away end what is done for them; a second signal ends the process at once. */
import { EXIT } from '../program/exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of what was given up for it. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

export interface Interruption {
  /** Aborted with `Interrupted`. */
  readonly signal: AbortSignal;
  /** From now on a signal does what it does to any program. */
  stop(): void;
}

export function watchSignals(): Interruption {
  const asked = new AbortController();
  const interrupt = () => {
    if (asked.signal.aborted) process.exit(EXIT.interrupted);
    asked.abort(new Interrupted('interrupted'));
  };
  // These stay: what is still on its way when all is done meets a reader that is gone as well.
  process.stdout.on('error', error => {
    if (!isUnread(error)) throw error;
    asked.abort(new Interrupted('nobody reads the answer'));
  });
  // Nobody reads how it goes; the answer may be read all the same.
  process.stderr.on('error', error => {
    if (!isUnread(error)) throw error;
  });
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return {
    signal: asked.signal,
    stop() {
      for (const signal of SIGNALS) process.off(signal, interrupt);
    },
  };
}

const isUnread = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
