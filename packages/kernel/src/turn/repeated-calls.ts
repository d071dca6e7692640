/** Detects a model that repeats a call although it was refused each time (SAFE-6). */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@chat-kernel/protocol';

/** The number of consecutive steps after which the same refused call ends the turn. */
const MAX_REPEATS = 3;

export class RepeatedCalls {
  /** Call, input and reason → the number of consecutive steps, up to the last one, in which it was refused. */
  #before: ReadonlyMap<string, number> = new Map();
  #now = new Map<string, number>();
  #repeated: string | undefined;

  /** Records that a call of the running step was refused. Several refusals in one step count once. */
  refused({ name, input }: { name: string; input: JsonObject }, reason: string): void {
    const key = createHash('sha256')
      .update(JSON.stringify([name, input, reason]))
      .digest('base64');
    const steps = (this.#before.get(key) ?? 0) + 1;
    this.#now.set(key, steps);
    if (steps >= MAX_REPEATS) this.#repeated ??= name;
  }

  /** Ends the step; returns the name of a call that was refused too often, if any. */
  endStep(): string | undefined {
    this.#before = this.#now;
    this.#now = new Map();
    return this.#repeated;
  }
}
