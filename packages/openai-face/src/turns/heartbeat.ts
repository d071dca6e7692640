/** Yields values as they arrive, and a heartbeat in every silence between them. */
import { abortable } from '@chat-kernel/base';

/** Thrown when the client has disconnected. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client disconnected.');
    this.name = 'HungUp';
  }
}

/**
 * Yields the values, and undefined whenever none arrived for this time. @throws ClientDisconnected as soon as the signal is aborted
 */
export async function* withHeartbeat<T>(
  values: AsyncIterator<T>,
  silenceMs: number,
  signal: AbortSignal,
): AsyncGenerator<T | undefined, void> {
  let next = values.next();
  for (;;) {
    const result = await unlessGone(next, silenceMs, signal);
    if (result?.done) return;
    yield result?.value;
    if (result !== undefined) next = values.next();
  }
}

/** Settles with the value, with undefined after that time, or with ClientDisconnected, whichever comes first. */
async function unlessGone<T>(
  value: Promise<T>,
  silenceMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const { promise: silence, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, silenceMs, undefined);
  try {
    return await abortable(Promise.race([value, silence]), signal);
  } catch (error) {
    throw signal.aborted ? new ClientDisconnected() : error;
  } finally {
    clearTimeout(timer);
  }
}
