/** Reads texts aloud, one at a time. */
import type { KernelClient } from '@chat-kernel/client';
import { Store } from '../base/store.ts';
import type { Notices } from './notices.ts';

export class Speaker {
  /** The name of the text that is being read or loaded. Null: none. */
  readonly reading = new Store<string | null>(null);
  readonly #client: KernelClient;
  readonly #notices: Notices;
  #stopping = new AbortController();

  constructor(client: KernelClient, notices: Notices) {
    this.#client = client;
    this.#notices = notices;
  }

  /** Reads a text aloud and stops the current one. @param name identifies the text */
  async read(name: string, text: string): Promise<void> {
    this.stop();
    const { signal } = this.#stopping;
    this.reading.set(name);
    try {
      const answer = await this.#client.speak({ text }, { signal });
      await played(await answer.blob(), signal);
    } catch (error) {
      if (!signal.aborted) this.#notices.fail(error);
    } finally {
      if (!signal.aborted) this.reading.set(null);
    }
  }

  readonly stop = (): void => {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.reading.set(null);
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
