/** Manages the sleep of the whole kernel, in which new turns wait, and that of single turns. */
import { KeyedQueue } from '../base/keyed-queue.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import { type Clock, type KernelSleep, type Log, type Store, timestamp } from '../ports/index.ts';
import { type Schedule, sleepLeft } from './schedule.ts';

/** The interval between checks of the schedule; a failed write is retried at the same interval. */
const TICK_MS = 60_000;
const BY_SCHEDULE = 'schedule';

/** A turn that sleeps until it is woken or its time has come. */
export interface SleepingTurn {
  readonly chat_id: string;
  readonly turn_id: string;
  /** Resolves when the sleep is over. */
  readonly over: Promise<void>;
  /** Ends the wait without waking the turn. */
  stop(): void;
}

export class Sleeper {
  readonly #store: Pick<Store, 'sleep'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #schedule: Schedule | null;
  readonly #shared: SharedLog | undefined;
  readonly #sleeping = new Map<SleepingTurn, () => void>();
  readonly #watchers = new Set<(state: KernelSleep | null) => void>();
  /** Serializes changes of the state, so that disk and memory agree. */
  readonly #changes = new KeyedQueue();
  /** The sleep of the kernel; null while it is awake. */
  state: KernelSleep | null = null;
  #gate: PromiseWithResolvers<void> | undefined;
  #stopAlarm = () => {};
  #stopTicks = () => {};
  /** True if the kernel was woken within the hours of sleep: they apply again from their next start. */
  #overslept = false;

  /** @param shared publishes sleep changes to the kernels on the same database; absent: there are no other kernels */
  constructor(
    store: Pick<Store, 'sleep'>,
    clock: Clock,
    log: Log,
    schedule: Schedule | null,
    shared?: SharedLog,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#schedule = schedule;
    this.#shared = shared;
    shared?.onWord(({ what }) => {
      if (what === 'woken') this.#wakeTurns();
    });
    for (const change of ['slept', 'woken'] as const) shared?.onChange(change, () => this.#follow());
  }

  /** Restores the sleep of the previous process, unless its time is over, and follows the schedule from now on. */
  async load(): Promise<void> {
    const stored = await this.#store.sleep.get();
    const over = stored?.until != null && Date.parse(stored.until) <= this.#clock.now();
    if (over) await this.#store.sleep.save(null);
    else if (stored !== null) {
      this.#enter(stored);
      if (this.#shared === undefined) this.#announce();
    }
    if (this.#schedule !== null) await this.#tick(this.#schedule);
  }

  /** Resolves when the kernel wakes; undefined while it is awake. */
  get gate(): Promise<void> | undefined {
    return this.#gate?.promise;
  }

  /** The turns that sleep on their own. */
  get sleepingTurns(): SleepingTurn[] {
    return [...this.#sleeping.keys()];
  }

  /** Calls the watcher whenever the kernel falls asleep or wakes. */
  watch(watcher: (state: KernelSleep | null) => void): void {
    this.#watchers.add(watcher);
  }

  /**
   * Puts the kernel to sleep; this is stored when it resolves. A kernel that already sleeps keeps its start time and
   * gets the new end and reason.
   */
  sleep(until: string | null, reason: string | null): Promise<void> {
    return this.#changes.run('', async () => {
      const state = { since: this.state?.since ?? timestamp(this.#clock), until, reason };
      await this.#store.sleep.save(state);
      this.#enter(state);
      this.#announce();
      this.#shared?.publish({ what: 'slept' });
    });
  }

  /** Wakes the kernel and every sleeping turn; this is stored when it resolves. */
  async wake(): Promise<void> {
    await this.#changes.run('', async () => {
      if (this.state === null) return;
      await this.#store.sleep.save(null);
      this.#leave();
      this.#announce();
    });
    this.#wakeTurns();
    this.#shared?.publish({ what: 'woken' });
  }

  /** Sets an alarm for a turn that goes to sleep on its own. @param until null: until it is woken */
  addTurn(chat_id: string, turn_id: string, until: string | null): SleepingTurn {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopAlarm = until === null ? () => {} : alarm(this.#clock, Date.parse(until), () => over());
    const stop = () => {
      stopAlarm();
      this.#sleeping.delete(sleeping);
    };
    const over = () => {
      stop();
      resolve();
    };
    const sleeping: SleepingTurn = { chat_id, turn_id, over: promise, stop };
    this.#sleeping.set(sleeping, over);
    return sleeping;
  }

  /**
   * Stops all timers at the end of the process. Sleeping turns and a sleeping kernel continue to sleep in the next one.
   */
  stop(): void {
    this.#stopAlarm();
    this.#stopTicks();
    for (const turn of this.sleepingTurns) turn.stop();
  }

  #enter(state: KernelSleep): void {
    this.state = state;
    this.#gate ??= Promise.withResolvers();
    this.#stopAlarm();
    this.#stopAlarm = state.until === null ? () => {} : this.#wakeAt(Date.parse(state.until), state);
  }

  /** Sets the alarm that ends this sleep. A sleep that started since is not changed. */
  #wakeAt(time: number, sleep: KernelSleep): () => void {
    return alarm(this.#clock, time, () => {
      const ended = this.#changes.run('', async () => {
        if (this.state !== sleep) return;
        // Each kernel on the database has this alarm; the first one publishes the change.
        const isFirst = await this.#store.sleep.swap(sleep, null);
        this.#leave();
        if (isFirst) this.#announce();
      });
      void ended.catch(error => {
        this.#log.error({ err: error }, 'storing the end of a sleep failed');
        if (this.state === sleep) this.#stopAlarm = this.#wakeAt(this.#clock.now() + TICK_MS, sleep);
      });
    });
  }

  #leave(): void {
    this.#stopAlarm();
    this.state = null;
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  #announce(): void {
    for (const watcher of this.#watchers) watcher(this.state);
  }

  #wakeTurns(): void {
    this.#overslept = this.#schedule !== null && sleepLeft(this.#schedule, this.#clock.now()) > 0;
    for (const over of this.#sleeping.values()) over();
  }

  /** Applies what another kernel on the database has changed. */
  #follow(): Promise<void> {
    return this.#changes.run('', async () => {
      const stored = await this.#store.sleep.get();
      if (stored !== null) this.#enter(stored);
      else if (this.state !== null) this.#leave();
    });
  }

  /** Each kernel on the database follows the schedule; the first one publishes the change. */
  #sleepBySchedule(until: string): Promise<void> {
    return this.#changes.run('', async () => {
      if (this.state !== null) return;
      const state = { since: timestamp(this.#clock), until, reason: BY_SCHEDULE };
      const isFirst = await this.#store.sleep.swap(null, state);
      this.#enter(isFirst ? state : ((await this.#store.sleep.get()) ?? state));
      if (isFirst) this.#announce();
    });
  }

  async #tick(schedule: Schedule): Promise<void> {
    this.#stopTicks = this.#clock.after(TICK_MS, () => {
      void this.#tick(schedule).catch(error =>
        // The next tick retries.
        this.#log.error({ err: error }, 'storing a scheduled sleep failed'),
      );
    });
    const left = sleepLeft(schedule, this.#clock.now());
    if (left === 0) this.#overslept = false;
    else if (!this.#overslept && this.state === null) {
      await this.#sleepBySchedule(new Date(this.#clock.now() + left).toISOString());
    }
  }
}

/**
 * Timers are limited to about three weeks and stop while the machine sleeps, so the clock is checked at this interval.
 */
const POLL_INTERVAL_MS = 60_000;

/**
 * Calls back once it is `time` or later (milliseconds since 1970). The returned function cancels the alarm.
 * @param lookMs the maximum delay after which a clock change is detected
 */
export function alarm(
  clock: Clock,
  time: number,
  callback: () => void,
  lookMs = POLL_INTERVAL_MS,
): () => void {
  let takeBack = () => {};
  const wait = () => {
    const left = Math.max(0, time - clock.now());
    // Timers may fire early, and clocks may be set back: then the alarm waits again.
    takeBack = clock.after(Math.min(left, lookMs), () => (clock.now() >= time ? callback() : wait()));
  };
  wait();
  return () => takeBack();
}
