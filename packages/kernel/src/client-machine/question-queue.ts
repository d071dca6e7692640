/**
 * Asks about operations with the same action one after the other: what the owner grants for the first may cover the
 * next.
 */
import { KeyedQueue } from '../base/keyed-queue.ts';
import { Unanswered } from '../ports/index.ts';

export class QuestionQueue {
  readonly #queue = new KeyedQueue();
  /** The last question of each action that expired. */
  readonly #unanswered = new Map<string, Unanswered>();

  /**
   * @param ask decides again whether a question is needed, and asks it
   * @throws Unanswered also if the question before it expired while this one waited: this one would expire, too
   */
  run<Result>(action: string, ask: () => Promise<Result>): Promise<Result> {
    const before = this.#unanswered.get(action);
    return this.#queue.run(action, async () => {
      const expired = this.#unanswered.get(action);
      if (expired !== undefined && expired !== before) throw expired;
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Unanswered) this.#unanswered.set(action, error);
        throw error;
      }
    });
  }
}
