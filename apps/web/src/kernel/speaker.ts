/** Reads texts aloud, one at a time. */
import type { KernelClient } from '@chat-kernel/client';
import { Store } from '../base/store.ts';
import type { Notices } from './notices.ts';

export type Speaker = ReturnType<typeof createSpeaker>;

export function createSpeaker(client: KernelClient, notices: Notices) {
  /** The name of the text that is being read or loaded. Null: none. */
  const reading = new Store<string | null>(null);
  let stopping = new AbortController();

  const stop = (): void => {
    stopping.abort();
    stopping = new AbortController();
    reading.set(null);
  };

  return {
    reading,
    stop,

    /** Reads a text aloud and stops the current one. @param name identifies the text */
    async read(name: string, text: string): Promise<void> {
      stop();
      const { signal } = stopping;
      reading.set(name);
      try {
        const answer = await client.speak({ text }, { signal });
        await played(await answer.blob(), signal);
      } catch (error) {
        if (!signal.aborted) notices.fail(error);
      } finally {
        if (!signal.aborted) reading.set(null);
      }
    },
  };
}

/** Plays audio. Resolves when it ends or is aborted. */
async function played(sound: Blob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const address = URL.createObjectURL(sound);
  const audio = new Audio(address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  audio.onended = () => resolve();
  audio.onerror = () => reject(new Error("This browser can't play the audio."));
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await audio.play();
    await promise;
  } finally {
    audio.pause();
    URL.revokeObjectURL(address);
  }
}
