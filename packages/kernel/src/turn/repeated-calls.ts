/** Notices a model that makes a call again and again that was refused each time (SAFE-6). */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@chat-kernel/protocol';

/** The steps in a row after which the same refused call ends the turn. */
const MOST_REPEATS = 3;

export class RepeatedCalls {
  /** Call, input and reason → the steps in a row, up to the last one, in which it was refused. */
  #before: ReadonlyMap<string, number> = new Map();
  #now = new Map<string, number>();
  #repeated: string | undefined;

  /** Notes that a call of the running step was refused. Several of one step count once. */
  refused({ name, input }: { name: string; input: JsonObject }, reason: string): void {
    const key = createHash('sha256')
      .update(JSON.stringify([name, input, reason]))
      .digest('base64');
    const steps = (this.#before.get(key) ?? 0) + 1;
    this.#now.set(key, steps);
    if (steps >= MOST_REPEATS) this.#repeated ??= name;
  }

  /** Ends the step; returns the name of a call that was refused too often, if there is one. */
  endStep(): string | undefined {
    this.#before = this.#now;
    this.#now = new Map();
    return this.#repeated;
  }
}
