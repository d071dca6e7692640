/** Waits for a promise until a signal is aborted. */

/** The result of `work`. Rejects with the reason of the signal as soon as that is aborted; `work` itself continues. */
export function abortable<Found>({ signal }: { signal: AbortSignal }, work: Promise<Found>): Promise<Found> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp);
  return Promise.race([promise, work]).finally(() => signal.removeEventListener('abort', giveUp));
}
