/** Waiting that ends with whoever waits. */

/** Nobody waits any more once the signal is aborted: rejects with its reason. */
export function unlessEnded<Found>(
  { signal }: { signal: AbortSignal },
  work: Promise<Found>,
): Promise<Found> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}
