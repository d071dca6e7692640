/** Limits memory-heavy work. Rejects instead of queueing, because callers can retry. */
import { KernelError } from '@chat-kernel/protocol';

/**
 * Returns a function that takes a slot until `gone` is aborted. It throws KernelError too_busy if no slot is free.
 * @param work the name of the work: `transcriptions`
 */
export function slots(most: number, work: string): (gone: AbortSignal) => void {
  let taken = 0;
  return gone => {
    if (taken === most) {
      throw new KernelError(
        'too_busy',
        `The limit of ${most} concurrent ${work} is reached. Try again in a moment.`,
      );
    }
    if (gone.aborted) return;
    taken += 1;
    gone.addEventListener('abort', () => (taken -= 1), { once: true });
  };
}
