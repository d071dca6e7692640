/** Chunks as the stream that the AI SDK reads, and the signal by which it stops. */
import type { KernelChunk } from './message.ts';

/**
 * @param leave ends the chunks, with an error or without; called when the reader leaves, which is no stop: the turn goes on
 */
export function chunkStream(
  chunks: AsyncGenerator<KernelChunk, void>,
  leave: () => void,
): ReadableStream<KernelChunk> {
  return new ReadableStream({
    // What comes after the reader has left, an error too, reaches nobody.
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  });
}

/** Gives the chunks, and forgets the listener when they are over: a stop after that means another turn. */
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

/** Waits, but not for longer than the signal lets it. @throws the reason of the signal */
export function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(signal?.reason);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    waiting.then(resolve, reject).finally(() => signal?.removeEventListener('abort', aborted));
  });
}

/** Resolves after all that this tick still does. */
export const tick = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0));
