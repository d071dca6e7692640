/** Waits for a promise until a signal is aborted. */

/** The result of `work`. Rejects with the reason of the signal as soon as that is aborted; `work` itself continues. */
export function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', abort));
}
