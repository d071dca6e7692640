/**
 * Tracks the caps that users are currently asked about: one question per cap, across all chats of all kernels
 * (FLEET-4).
 */
import { CoalescedJob } from '../fleet/coalesced-job.ts';
import type { Clock, FleetStore } from '../ports/index.ts';
import { type CapStatus, capKey, isOfAll } from './caps.ts';

type Questions = Pick<FleetStore, 'askSpend' | 'askedSpend'>;

export class CapQuestions {
  readonly #fleet: Questions | null;
  readonly #onEnd: () => void;
  readonly #open = new Set<string>();
  /** Ended questions whose rows are still in the database. Other kernels wait until these rows are deleted. */
  readonly #over = new Set<string>();
  readonly #freeing: CoalescedJob;

  /** @param onEnd called when another turn may ask */
  constructor(fleet: Questions | null, clock: Pick<Clock, 'after'>, onEnd: () => void) {
    this.#fleet = fleet;
    this.#onEnd = onEnd;
    this.#freeing = new CoalescedJob(clock, async () => {
      for (const key of this.#over) {
        await fleet?.askedSpend(key);
        this.#over.delete(key);
      }
    });
  }

  /**
   * Returns the function to call once the question has ended; undefined while the same question is open on another
   * kernel.
   */
  async begin(status: CapStatus): Promise<(() => void) | undefined> {
    const key = capKey(status.of, status.period);
    if (this.#open.has(key) || this.#over.has(key)) return undefined;
    // Add it immediately, because other turns of this kernel check it during the database request.
    this.#open.add(key);
    // Only the owner of the chat asks about the caps of a turn or a chat.
    const fleet = isOfAll(status.of) ? this.#fleet : null;
    try {
      if (fleet === null || (await fleet.askSpend(key))) return () => this.#end(key, fleet);
    } catch (error) {
      // The row may exist if only the response was lost.
      this.#end(key, fleet);
      throw error;
    }
    this.#open.delete(key);
    return undefined;
  }

  #end(key: string, fleet: Questions | null): void {
    this.#open.delete(key);
    if (fleet !== null) {
      this.#over.add(key);
      this.#freeing.schedule();
    }
    this.#onEnd();
  }
}
