/** Handles interruptions: a signal or a closed stdout aborts the work; a second signal ends the process immediately. */
import { EXIT } from '../program/exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of the aborted signal. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

interface Interruption {
  /** Aborted with `Interrupted`. */
  readonly signal: AbortSignal;
  /** Restores the default handling of signals. */
  stop(): void;
}

export function watchSignals(): Interruption {
  const asked = new AbortController();
  const interrupt = () => {
    if (asked.signal.aborted) process.exit(EXIT.interrupted);
    asked.abort(new Interrupted('interrupted'));
  };
  // Keep the handlers after `stop`: pending writes can fail in the same way.
  process.stdout.on('error', error => {
    if (!isUnread(error)) throw error;
    asked.abort(new Interrupted('stdout was closed'));
  });
  // A closed stderr does not stop the work: stdout may still be read.
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
