/** Wraps chunks as the stream that the AI SDK reads, and handles the signal that stops it. */
import type { KernelChunk } from './message.ts';

/**
 * @param leave callback that ends the chunks, with or without an error; called when the reader leaves, which does not
 * stop the turn
 */
export function chunkStream(
  chunks: AsyncGenerator<KernelChunk, void>,
  leave: () => void,
): ReadableStream<KernelChunk> {
  return new ReadableStream({
    // After the reader has left, chunks and errors are dropped.
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  });
}

/** Yields the chunks, and removes the listener at the end: a later stop means another turn. */
export async function* untilOver(
  chunks: AsyncGenerator<KernelChunk, void>,
  signal: AbortSignal | undefined,
  listener: () => void,
): AsyncGenerator<KernelChunk, void> {
  try {
    yield* chunks;
  } finally {
    signal?.removeEventListener('abort', listener);
  }
}

/** Waits until the signal aborts. @throws the reason of the signal */
export function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal?.reason);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    waiting.then(resolve, reject).finally(() => signal?.removeEventListener('abort', aborted));
  });
}

/** Resolves after all work of this tick. */
export const tick = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
