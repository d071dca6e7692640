/** Implements the API of sleep: the state, falling asleep, waking (SLP-1 to SLP-4). */
import { invalidValue, type PutToSleep, type SleepState, type Woken } from '@chat-kernel/protocol';
import type { Clock } from '../ports/index.ts';
import type { Sleeper } from './sleeper.ts';

/** Provides the sleeping turns, whatever the cause of their sleep. */
interface Sleepers {
  asleep(): Promise<{ chat_id: string; turn_id: string }[]>;
}

export class SleepApi {
  readonly #sleeper: Sleeper;
  readonly #turns: Sleepers;
  readonly #clock: Clock;

  constructor(sleeper: Sleeper, turns: Sleepers, clock: Clock) {
    this.#sleeper = sleeper;
    this.#turns = turns;
    this.#clock = clock;
  }

  async state(): Promise<SleepState> {
    const { since = null, until = null, reason = null } = this.#sleeper.state ?? {};
    const asleep = this.#sleeper.state !== null;
    return { asleep, since, until, reason, waiting: await this.#turns.asleep() };
  }

  /**
   * Puts the kernel to sleep: running turns continue, new ones wait.
   * @throws KernelError invalid_value for a time in the past
   */
  async sleep({ until, reason }: PutToSleep): Promise<SleepState> {
    const time = until === undefined ? null : new Date(until);
    if (time !== null && time.getTime() <= this.#clock.now())
      throw invalidValue('/until', 'This time is in the past.');
    await this.#sleeper.sleep(time?.toISOString() ?? null, reason ?? null);
    return this.state();
  }

  /** Wakes the kernel and all turns; returns the turns that slept. */
  async wake(): Promise<Woken> {
    const woken = (await this.#turns.asleep()).map(({ turn_id }) => turn_id);
    await this.#sleeper.wake();
    return { woken };
  }
}
