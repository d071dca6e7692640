/** Waiting that ends when a signal is aborted. */

/** The result of `work`. Rejects with the reason of the signal as soon as that is aborted; `work` itself goes on. */
export function unlessEnded<Found>(
  { signal }: { signal: AbortSignal },
  work: Promise<Found>,
): Promise<Found> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}
