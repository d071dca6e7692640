/** Tests the nights of clock changes: no due time is repeated or lost. */

import type { Schedule } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { MINUTE, scheduled } from '../harness/schedules.ts';

describe('[SCHED-2] daylight saving changes', () => {
  /** The times at which cron lines are due from a moment on, for a number of quarters of an hour. */
  async function night(from: string, quarters: number, lines: readonly string[]): Promise<string[][]> {
    const { api, clock, add, runs } = await scheduled(from);
    const made: string[] = [];
    for (const cron of lines) made.push((await add({ cron, timezone: 'Europe/Berlin' })).id);
    const isQuiet = async () => {
      clock.advance(0);
      const { schedules } = (await api.get('/v1/schedules')).body as { schedules: Schedule[] };
      return schedules.every(
        ({ next_at, last }) => Date.parse(next_at ?? '') > clock.now() && last?.status !== 'running',
      );
    };
    for (let quarter = 0; quarter < quarters; quarter++) {
      clock.advance(15 * MINUTE);
      await expect.poll(isQuiet, { timeout: 20_000, interval: 25 }).toBe(true);
    }
    const due = [];
    for (const id of made) {
      const all = await runs(id);
      expect(all.filter(({ status }) => status !== 'completed')).toEqual([]);
      due.push(all.map(({ due_at }) => due_at.slice(11, 16)));
    }
    return due;
  }
  const LINES = ['30 2 * * *', '15,30 2,3 * * *', '30 * * * *'];

  test('[SCHED-2] runs a nonexistent time in spring once at the end of the gap', async () => {
    expect(await night('2026-03-29T00:00:00.000Z', 8, LINES)).toEqual([
      ['01:00'],
      ['01:00', '01:15', '01:30'],
      ['00:30', '01:30'],
    ]);
  });

  test('[SCHED-2] runs a repeated time in autumn once, and an interval in both hours', async () => {
    expect(await night('2026-10-25T00:00:00.000Z', 12, LINES)).toEqual([
      ['00:30'],
      ['00:15', '00:30', '02:15', '02:30'],
      ['00:30', '01:30', '02:30'],
    ]);
  });
});
