/** Tests work that refreshes something. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { CoalescedJob } from '../src/fleet/coalesced-job.ts';

/** Runs everything that waits for no timer. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('runs once at a time, and once more for all requests during a run', async () => {
  const runs: (() => void)[] = [];
  const upkeep = new CoalescedJob(new ManualClock(), () => new Promise(resolve => runs.push(resolve)));
  upkeep.schedule();
  upkeep.schedule();
  await settle();
  expect(runs).toHaveLength(1);
  upkeep.schedule();
  upkeep.schedule();
  runs[0]?.();
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.();
  await settle();
  expect(runs).toHaveLength(2);
  upkeep.schedule();
  expect(runs).toHaveLength(3);
  const stopped = upkeep.stop();
  upkeep.schedule();
  runs[2]?.();
  await stopped;
  expect(runs).toHaveLength(3);
});

test('rests between two runs, but not before it stops', async () => {
  const clock = new ManualClock();
  let runs = 0;
  const job = new CoalescedJob(clock, async () => void runs++, undefined, 20);
  const schedule = async () => {
    job.schedule();
    await settle();
  };
  await schedule();
  await schedule();
  clock.advance(19);
  await settle();
  expect(runs).toBe(1);
  clock.advance(1);
  await settle();
  expect(runs).toBe(2);
  await job.stop();
  await schedule();
  expect(runs).toBe(2);
});

test('keeps a request that arrives while a run ends', async () => {
  let runs = 0;
  const upkeep: CoalescedJob = new CoalescedJob(new ManualClock(), async () => {
    if (++runs === 1) for (const turns of [1, 2, 3, 4]) void later(turns).then(() => upkeep.schedule());
  });
  upkeep.schedule();
  await settle();
  expect(runs).toBeGreaterThan(1);
});

test('retries a failed run', async () => {
  const clock = new ManualClock();
  let runs = 0;
  const upkeep = new CoalescedJob(clock, async () => {
    if (++runs < 3) throw new Error('the database is away');
  });
  upkeep.schedule();
  for (const wanted of [1, 2, 3]) {
    await settle();
    expect(runs).toBe(wanted);
    clock.advance(250);
  }
  await settle();
  expect(runs).toBe(3);
});

test('reports the first of consecutive failures, and again after a success', async () => {
  const clock = new ManualClock();
  const fails = [true, true, false, true, false];
  const reported: unknown[] = [];
  const upkeep: CoalescedJob = new CoalescedJob(
    clock,
    async () => {
      const run = 5 - fails.length;
      if (fails.shift()) throw run;
      // The data changes again during the run.
      if (fails.length > 0) upkeep.schedule();
    },
    error => reported.push(error),
  );
  upkeep.schedule();
  for (let tries = 0; tries < 4; tries++) {
    await settle();
    clock.advance(250);
  }
  await settle();
  expect([fails, reported]).toEqual([[], [0, 3]]);
});

/** Resolves after this many turns of the queue of promises. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await undefined;
}
