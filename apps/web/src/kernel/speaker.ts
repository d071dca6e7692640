/** The voice of the page: it reads one text at a time. */
import type { KernelClient } from '@chat-kernel/client';
import { Store } from '../base/store.ts';
import type { Notices } from './notices.ts';

export class Speaker {
  /** The name of what is read, or is about to be; null: nothing is. */
  readonly reading = new Store<string | null>(null);
  readonly #client: KernelClient;
  readonly #notices: Notices;
  #stopping = new AbortController();

  constructor(client: KernelClient, notices: Notices) {
    this.#client = client;
    this.#notices = notices;
  }

  /** Reads a text, in place of what is being read. @param name tells texts apart */
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

/** Resolves at the end of the audio, or of the signal. */
async function played(sound: Blob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const address = URL.createObjectURL(sound);
  const audio = new Audio(address);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  audio.onended = () => resolve();
  audio.onerror = () => reject(new Error('The browser cannot play this audio.'));
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await audio.play();
    await promise;
  } finally {
    audio.pause();
    URL.revokeObjectURL(address);
  }
}
