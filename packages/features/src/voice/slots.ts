/** Limits memory-heavy work. Rejects instead of queueing, because callers can retry. */
import { KernelError } from '@chat-kernel/protocol';

export class Slots {
  readonly #most: number;
  readonly #work: string;
  #taken = 0;

  /** @param work the name of the work: `transcriptions` */
  constructor(most: number, work: string) {
    this.#most = most;
    this.#work = work;
  }

  /** Takes a slot until `gone` is aborted. @throws KernelError too_busy if no slot is free */
  take(gone: AbortSignal): void {
    if (this.#taken === this.#most) {
      throw new KernelError(
        'too_busy',
        `The limit of ${this.#most} concurrent ${this.#work} is reached. Try again in a moment.`,
      );
    }
    if (gone.aborted) return;
    this.#taken += 1;
    gone.addEventListener('abort', () => (this.#taken -= 1), { once: true });
  }
}
