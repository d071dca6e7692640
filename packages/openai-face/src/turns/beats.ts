/** Values as they come, and word of every silence between them. */

/** The caller hung up. */
export class HungUp extends Error {
  constructor() {
    super('The caller hung up.');
    this.name = 'HungUp';
  }
}

/** Gives the values, and undefined whenever none came for so long. @throws HungUp as soon as the signal is aborted */
export async function* beats<T>(
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

/** The value, undefined after that time, or HungUp: what comes first. */
function unlessGone<T>(value: Promise<T>, silenceMs: number, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const leave = () => reject(new HungUp());
  const timer = setTimeout(() => resolve(undefined), silenceMs);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  value.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
  });
}
