/** Implements the API of sleep: the state, falling asleep, waking (SLP-1 to SLP-4). */
import { invalidValue, type PutToSleep, type SleepState, type Woken } from '@chat-kernel/protocol';
import { ApiBase } from './api-base.ts';

export class SleepApi extends ApiBase {
  async state(): Promise<SleepState> {
    const { since = null, until = null, reason = null } = this.services.sleeper.state ?? {};
    const asleep = this.services.sleeper.state !== null;
    return { asleep, since, until, reason, waiting: await this.turns.shown.asleep() };
  }

  /**
   * Puts the kernel to sleep: running turns continue, new ones wait.
   * @throws KernelError invalid_value for a time in the past
   */
  async sleep({ until, reason }: PutToSleep): Promise<SleepState> {
    const time = until === undefined ? null : new Date(until);
    if (time !== null && time.getTime() <= this.services.clock.now())
      throw invalidValue('/until', 'This time is in the past.');
    await this.services.sleeper.sleep(time?.toISOString() ?? null, reason ?? null);
    return this.state();
  }

  /** Wakes the kernel and all turns; returns the turns that slept. */
  async wake(): Promise<Woken> {
    const woken = (await this.turns.shown.asleep()).map(({ turn_id }) => turn_id);
    await this.services.sleeper.wake();
    return { woken };
  }
}
