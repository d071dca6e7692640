/** Places for work that holds much in memory: what finds none is refused at once, for its caller can wait as well. */
import { KernelError } from '@chat-kernel/protocol';

export class Places {
  readonly #most: number;
  readonly #work: string;
  #taken = 0;

  /** @param work what is done in them, in words: `transcriptions` */
  constructor(most: number, work: string) {
    this.#most = most;
    this.#work = work;
  }

  /** Takes a place until `gone` is aborted. @throws KernelError too_busy where none is free */
  take(gone: AbortSignal): void {
    if (this.#taken === this.#most) {
      throw new KernelError('too_busy', `${this.#most} ${this.#work} run already: try again in a moment.`);
    }
    if (gone.aborted) return;
    this.#taken += 1;
    gone.addEventListener('abort', () => (this.#taken -= 1), { once: true });
  }
}
