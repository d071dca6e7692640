/**
 * Detects the first request with work, or the stop of the server: work that only prepares for later is then skipped.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { StopStack } from './stop-stack.ts';

export interface FirstWork {
  /** Whether no work has arrived yet. */
  isIdle(): boolean;
  /** Stops watching. */
  stop(): void;
}

export function watchFirstWork(server: Server, stops: StopStack): FirstWork {
  let isIdle = true;
  const asked = ({ method }: Pick<IncomingMessage, 'method'>) => {
    // Clients that only read, such as a program that waits for the kernel, start no turns.
    if (method !== 'GET' && method !== 'HEAD') isIdle = false;
  };
  server.on('request', asked);
  stops.push(() => asked({}));
  return { isIdle: () => isIdle, stop: () => void server.off('request', asked) };
}
