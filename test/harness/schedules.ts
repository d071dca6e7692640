/** Starts kernels with schedules under a manual clock, and checks the outcome of each due time. */
import type { Schedule, ScheduleRun } from '@chat-kernel/protocol';
import { expect } from 'vitest';
import { ManualClock } from './clock.ts';
import type { KernelOptions, TestKernel } from './kernel.ts';
import { kernelOf } from './shared-kernel.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface ScheduledKernel extends TestKernel {
  clock: ManualClock;
  /** Creates a schedule with a message. */
  add(wanted: object): Promise<Schedule>;
  /** Returns the runs, oldest first. */
  runs(id: string): Promise<ScheduleRun[]>;
  /** Waits until a schedule has these due times and outcomes, oldest first. */
  become(id: string, wanted: [due_at: string, status: string][]): Promise<ScheduleRun[]>;
}

export function clockAt(time: string): ManualClock {
  const clock = new ManualClock();
  clock.advance(Date.parse(time) - clock.now());
  return clock;
}

/** Stops with the test. @param time the initial time of the clock */
export async function scheduled(
  time: string,
  { clock = clockAt(time), ...options }: Omit<KernelOptions, 'clock'> & { clock?: ManualClock } = {},
): Promise<ScheduledKernel> {
  const kernel = await kernelOf({ ...options, clock });
  const { api } = kernel;
  const runs = async (id: string): Promise<ScheduleRun[]> =>
    (await api.get(`/v1/schedules/${id}/runs?limit=500`)).body.runs.toReversed();
  return {
    ...kernel,
    clock,
    runs,
    async add(wanted) {
      const { status, body } = await api.post('/v1/schedules', { text: 'Good morning.', ...wanted });
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    },
    async become(id, wanted) {
      const seen = async () => {
        // The kernel may have planned work for this time after the clock was moved.
        clock.advance(0);
        return (await runs(id)).map(({ due_at, status }) => [due_at, status]);
      };
      await expect.poll(seen, { timeout: 20_000, interval: 25 }).toEqual(wanted);
      return runs(id);
    },
  };
}
