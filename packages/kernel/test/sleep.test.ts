import { openStore } from '@chat-kernel/storage';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { temporaryDirectory } from '../../../test/harness/directory.ts';
import type { KernelSleep, SleepStore, Store } from '../src/index.ts';
import { checkTimezone, parseSchedule, sleepLeft } from '../src/sleep/schedule.ts';
import { alarm, Sleeper } from '../src/sleep/sleeper.ts';
import { until } from './core.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('[SLP-3] a schedule', () => {
  const left = (hours: string, zone: string, time: string) =>
    sleepLeft(parseSchedule(hours, zone), Date.parse(time));

  it('is two times of a day, and other text is rejected with the expected format', () => {
    expect(parseSchedule('23:00-07:30', 'UTC')).toEqual({ from: 1380, to: 450, timezone: 'UTC' });
    expect(parseSchedule(' 9:05 - 17:00 ', null)).toEqual({ from: 545, to: 1020, timezone: undefined });
    for (const text of ['', '23-7', '24:00-07:00', '23:60-07:00', '23:00', '23:00-07:00-08:00', 'never']) {
      expect(() => parseSchedule(text, null)).toThrow('expected hours such as 23:00-07:00');
    }
    expect(() => parseSchedule('07:00-07:00', null)).toThrow(RangeError);
    expect(() => checkTimezone('Europe/Berlin')).not.toThrow();
    expect(() => checkTimezone('Europe/Atlantis')).toThrow(RangeError);
  });

  it('spans midnight or lies inside a day, and excludes its end', () => {
    expect(left('23:00-07:00', 'UTC', '2026-01-01T22:59:59.999Z')).toBe(0);
    expect(left('23:00-07:00', 'UTC', '2026-01-01T23:00:00Z')).toBe(8 * HOUR);
    expect(left('23:00-07:00', 'UTC', '2026-01-02T06:59:58.500Z')).toBe(1.5 * SECOND);
    expect(left('23:00-07:00', 'UTC', '2026-01-02T07:00:00Z')).toBe(0);
    expect(left('12:00-13:30', 'UTC', '2026-01-01T12:30:30Z')).toBe(HOUR - 30 * SECOND);
    expect(left('12:00-13:30', 'UTC', '2026-01-01T11:59:00Z')).toBe(0);
  });

  it('uses its time zone', () => {
    expect(left('23:00-07:00', 'Asia/Kolkata', '2026-01-01T17:30:00Z')).toBe(8 * HOUR);
    expect(left('23:00-07:00', 'Asia/Kolkata', '2026-01-01T17:29:00Z')).toBe(0);
  });

  it('ends at its hour also if the clocks change during the night', () => {
    // Berlin: from 02:00 to 03:00 on 29 March, from 03:00 back to 02:00 on 25 October.
    expect(left('23:00-07:00', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe(7 * HOUR);
    expect(left('23:00-07:00', 'Europe/Berlin', '2026-10-24T21:00:00Z')).toBe(9 * HOUR);
    // Half past two does not exist that day: the period ends when that time has passed.
    expect(left('23:00-02:30', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe(3 * HOUR);
    expect(left('01:59-02:00', 'Europe/Berlin', '2026-03-29T00:59:30Z')).toBe(30 * SECOND);
  });

  it('sleeps exactly inside its hours, and the rest ends with the first minute outside', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
    const minute = fc.nat({ max: 1439 });
    const time = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2028, 0) });
    const words = (at: number) =>
      `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(minute, minute, time, fc.constantFrom(...zones), (from, to, at, timeZone) => {
        fc.pre(from !== to);
        const schedule = parseSchedule(`${words(from)}-${words(to)}`, timeZone);
        const isSleep = (moment: number) => {
          const wall = new Date(moment).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
          return from < to
            ? words(from) <= wall && wall < words(to)
            : words(from) <= wall || wall < words(to);
        };
        const rest = sleepLeft(schedule, at);
        expect(rest > 0).toBe(isSleep(at));
        if (rest === 0) return;
        expect([isSleep(at + rest - 1), isSleep(at + rest)]).toEqual([true, false]);
        expect(rest).toBeLessThanOrEqual(25 * HOUR);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an alarm', () => {
  it('fires once at its time, however distant, and not before', () => {
    const clock = new ManualClock();
    let rung = 0;
    alarm(clock, clock.now() + 40 * DAY, () => rung++);
    for (let day = 0; day < 39; day++) clock.advance(DAY);
    clock.advance(DAY - 1);
    expect([rung, clock.timers.size]).toEqual([0, 1]);
    clock.advance(1);
    expect([rung, clock.timers.size]).toEqual([1, 0]);
  });

  it('ignores an early timer, and a clock that was set back', () => {
    const clock = new ManualClock();
    let rung = 0;
    alarm(clock, clock.now() + HOUR, () => rung++);
    clock.advance(59.5 * MINUTE);
    // The waiting timer was set for half a minute; the clock is now an hour earlier.
    clock.advance(-HOUR);
    for (const timer of [...clock.timers]) {
      clock.timers.delete(timer);
      timer.callback();
    }
    expect([rung, clock.timers.size]).toEqual([0, 1]);
    for (let n = 0; n < 61; n++) clock.advance(MINUTE);
    expect(rung).toBe(1);
  });

  it('fires immediately for a past time, but not during the call, and never after its cancellation', () => {
    const clock = new ManualClock();
    const rung: string[] = [];
    alarm(clock, clock.now() - DAY, () => rung.push('late'));
    const takeBack = alarm(clock, clock.now() + 2 * MINUTE, () => rung.push('taken back'));
    expect(rung).toEqual([]);
    clock.advance(0);
    clock.advance(MINUTE);
    takeBack();
    clock.advance(DAY);
    expect([rung, clock.timers.size]).toEqual([['late'], 0]);
  });
});

describe('[SLP-3] [SLP-4] a sleeper', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let clock: ManualClock;
  let store: Store;
  let logged: string[];
  let told: (KernelSleep | null)[];
  let fail: () => unknown;
  let sleeper: Sleeper;
  beforeEach(async () => {
    directory = temporaryDirectory();
    // 2026-01-01T00:00:00Z
    clock = new ManualClock();
    [logged, told, fail] = [[], [], () => {}];
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    // The store has its own timers, so it gets its own clock.
    store = await openStore({ data_dir: directory.path, url: null, log, clock: new ManualClock() });
  });
  afterEach(async () => {
    sleeper.stop();
    // No timer is left.
    expect(clock.timers.size).toBe(0);
    await store.close();
    directory.remove();
  });

  async function open(schedule: string | null = null): Promise<void> {
    const log = { debug() {}, info() {}, warn() {}, error: (_: object, words: string) => logged.push(words) };
    const sleep: SleepStore = {
      get: () => store.sleep.get(),
      save: async state => {
        await fail();
        await store.sleep.save(state);
      },
      swap: async (before, state) => {
        await fail();
        return store.sleep.swap(before, state);
      },
    };
    const hours = schedule === null ? null : parseSchedule(schedule, 'UTC');
    sleeper = new Sleeper({ sleep }, clock, log, hours);
    sleeper.watch(state => told.push(state));
    await sleeper.load();
  }
  const reopen = async (schedule: string | null = null) => {
    sleeper.stop();
    await open(schedule);
  };
  const awake = () => until(() => sleeper.state === null);
  const asleep = () => until(() => sleeper.state !== null);
  /** Waits long enough for work that a timer has begun. */
  const settle = () => new Promise(resolve => setTimeout(resolve, 20));

  it('sleeps until it is woken, and stores that before it reports it', async () => {
    await open();
    expect([sleeper.state, sleeper.gate]).toEqual([null, undefined]);
    await sleeper.sleep(null, 'night');
    const state = { since: '2026-01-01T00:00:00.000Z', until: null, reason: 'night' };
    expect([sleeper.state, await store.sleep.get(), told]).toEqual([state, state, [state]]);
    const gate = sleeper.gate;
    clock.advance(40 * DAY);
    await settle();
    expect(sleeper.state).toEqual(state);
    await sleeper.wake();
    await gate;
    expect([sleeper.state, sleeper.gate, await store.sleep.get()]).toEqual([null, undefined, null]);
    expect(told).toEqual([state, null]);
    // Watchers get no event for a state that is already current.
    await sleeper.wake();
    expect(told).toHaveLength(2);
  });

  it('wakes automatically at its time, which can be changed, and keeps the start of its sleep', async () => {
    await open();
    await sleeper.sleep('2026-01-01T01:00:00.000Z', null);
    clock.advance(30 * MINUTE);
    await sleeper.sleep('2026-01-01T02:00:00.000Z', 'longer');
    expect(sleeper.state).toEqual({
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T02:00:00.000Z',
      reason: 'longer',
    });
    clock.advance(HOUR);
    await settle();
    expect(sleeper.state).not.toBeNull();
    clock.advance(30 * MINUTE);
    await awake();
    expect(await store.sleep.get()).toBeNull();
    expect(told.map(state => state?.until)).toEqual([
      '2026-01-01T01:00:00.000Z',
      '2026-01-01T02:00:00.000Z',
      undefined,
    ]);
  });

  it('keeps a sleep that starts while the previous one ends', async () => {
    await open();
    await sleeper.sleep('2026-01-01T01:00:00.000Z', null);
    const again = sleeper.sleep('2026-01-01T05:00:00.000Z', 'more');
    clock.advance(HOUR);
    await again;
    await settle();
    expect(sleeper.state).toMatchObject({ reason: 'more' });
    expect(await store.sleep.get()).toEqual(sleeper.state);
  });

  it('retries an end that could not be stored', async () => {
    await open();
    await sleeper.sleep('2026-01-01T01:00:00.000Z', null);
    fail = () => {
      throw new Error('the disk is full');
    };
    clock.advance(HOUR);
    await until(() => logged.length > 0);
    expect(sleeper.state).not.toBeNull();
    await expect(sleeper.wake()).rejects.toThrow('the disk is full');
    // Not immediately: a failing store would cause an endless loop.
    clock.advance(1);
    await settle();
    expect(logged).toHaveLength(1);
    fail = () => {};
    clock.advance(MINUTE);
    await awake();
    expect(await store.sleep.get()).toBeNull();
  });

  it('keeps sleeping in the next process, unless its time is over', async () => {
    await open();
    await sleeper.sleep('2026-01-01T01:00:00.000Z', 'nap');
    const state = sleeper.state;
    clock.advance(30 * MINUTE);
    await reopen();
    expect(sleeper.state).toEqual(state);
    sleeper.stop();
    clock.advance(HOUR);
    await open();
    expect([sleeper.state, await store.sleep.get()]).toEqual([null, null]);
  });

  it('follows its schedule every day', async () => {
    await open('23:00-07:00');
    // The clock of the test begins at midnight.
    expect(sleeper.state).toEqual({
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T07:00:00.000Z',
      reason: 'schedule',
    });
    for (const day of ['02', '03']) {
      clock.advance(7 * HOUR);
      await awake();
      for (let hour = 7; hour < 23; hour++) {
        expect(sleeper.state).toBeNull();
        clock.advance(HOUR);
      }
      await asleep();
      expect(sleeper.state).toMatchObject({ until: `2026-01-${day}T07:00:00.000Z` });
      clock.advance(HOUR);
    }
  });

  it('stays awake until its next hours if it is woken inside its hours', async () => {
    await open('23:00-07:00');
    clock.advance(HOUR);
    await sleeper.wake();
    for (let hour = 1; hour < 23; hour++) {
      clock.advance(HOUR);
      await settle();
      expect([hour, sleeper.state]).toEqual([hour, hour < 22 ? null : expect.anything()]);
    }
  });

  it('follows its hours if it is woken outside them', async () => {
    await open('23:00-07:00');
    clock.advance(23 * HOUR - 10 * SECOND);
    await awake();
    await sleeper.wake();
    // The hours have begun by the next check of the schedule.
    clock.advance(MINUTE);
    await asleep();
  });

  it('follows the user before the schedule, and the schedule afterwards', async () => {
    await open('01:00-02:00');
    await sleeper.sleep('2026-01-01T01:30:00.000Z', 'mine');
    for (let n = 0; n < 89; n++) clock.advance(MINUTE);
    await settle();
    expect(sleeper.state?.reason).toBe('mine');
    clock.advance(MINUTE);
    await awake();
    clock.advance(MINUTE);
    await asleep();
    expect(sleeper.state).toMatchObject({ reason: 'schedule', until: '2026-01-01T02:00:00.000Z' });
  });

  it('lets turns sleep until their time or a wake, each separately, and does not wake a stopped one', async () => {
    await open();
    const over: string[] = [];
    const nap = (name: string, time: string | null) => {
      const made = sleeper.addTurn('chat', name, time);
      void made.over.then(() => over.push(name));
      return made;
    };
    nap('soon', '2026-01-01T00:01:00.000Z');
    nap('overdue', '2025-12-31T00:00:00.000Z');
    nap('later', '2026-01-01T01:00:00.000Z');
    nap('woken', null);
    nap('stopped', null).stop();
    clock.advance(0);
    await settle();
    expect(over).toEqual(['overdue']);
    clock.advance(MINUTE);
    await settle();
    expect(over).toEqual(['overdue', 'soon']);
    await sleeper.wake();
    await settle();
    expect(over).toEqual(['overdue', 'soon', 'later', 'woken']);
    expect(told).toEqual([]);
    nap('asleep at the end', '2026-01-02T00:00:00.000Z');
    sleeper.stop();
    expect(clock.timers.size).toBe(0);
  });
});
