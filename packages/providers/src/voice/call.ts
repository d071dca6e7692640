/**
 * Runs one call to a provider outside of turns, with the same retries, limits and timeouts as provider requests of
 * turns.
 */
import { type Clock, type Log, ModelError } from '@chat-kernel/kernel';
import { type Fetch, openConnection } from '../trip/connection.ts';
import { type FailedProvider, toTripFailure } from '../trip/failures.ts';
import { withRetries } from '../trip/retry.ts';

export interface CalledProvider extends FailedProvider {
  timeoutSecs: number;
}

/** @throws ModelError */
export async function callProvider<Answer>(
  provider: CalledProvider,
  send: (through: { fetch: Fetch; abortSignal: AbortSignal }) => PromiseLike<Answer>,
  { clock, log, signal, isAudio }: { clock: Clock; log: Log; signal: AbortSignal; isAudio: boolean },
): Promise<Answer> {
  const failure = (thrown: unknown) => toTripFailure(thrown, provider);
  const { name, timeoutSecs } = provider;
  const attempt = async () => {
    const connection = openConnection({
      provider: name,
      signal,
      timeoutSecs,
      clock,
      onHeaders: () => undefined,
      isAudio,
    });
    try {
      return await send({ fetch: connection.fetch, abortSignal: connection.signal });
    } catch (thrown) {
      const reason: unknown = connection.signal.reason;
      throw reason instanceof ModelError ? reason : thrown;
    } finally {
      connection.close();
    }
  };
  try {
    return await withRetries(attempt, failure, { clock, log, signal });
  } catch (thrown) {
    if (signal.aborted) {
      throw new ModelError('upstream_error', 'The request was aborted.', false, signal.reason);
    }
    throw failure(thrown).error;
  }
}
