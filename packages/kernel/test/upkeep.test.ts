/** Work that brings something up to date. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { Upkeep } from '../src/fleet/upkeep.ts';

/** Lets everything run that waits for nothing. */
const settle = () => new Promise(resolve => setImmediate(resolve));

test('runs once at a time, and once more for all that was wished meanwhile', async () => {
  const runs: (() => void)[] = [];
  const upkeep = new Upkeep(new ManualClock(), () => new Promise(resolve => runs.push(resolve)));
  upkeep.wish();
  upkeep.wish();
  await settle();
  expect(runs).toHaveLength(1);
  upkeep.wish();
  upkeep.wish();
  runs[0]?.();
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.();
  await settle();
  expect(runs).toHaveLength(2);
  upkeep.wish();
  expect(runs).toHaveLength(3);
  const stopped = upkeep.stop();
  upkeep.wish();
  runs[2]?.();
  await stopped;
  expect(runs).toHaveLength(3);
});

test('a wish in the moment in which a run ends is not lost', async () => {
  let runs = 0;
  const upkeep: Upkeep = new Upkeep(new ManualClock(), async () => {
    if (++runs === 1) for (const turns of [1, 2, 3, 4]) void later(turns).then(() => upkeep.wish());
  });
  upkeep.wish();
  await settle();
  expect(runs).toBeGreaterThan(1);
});

test('what fails is tried again', async () => {
  const clock = new ManualClock();
  let runs = 0;
  const upkeep = new Upkeep(clock, async () => {
    if (++runs < 3) throw new Error('the database is away');
  });
  upkeep.wish();
  for (const wanted of [1, 2, 3]) {
    await settle();
    expect(runs).toBe(wanted);
    clock.advance(250);
  }
  await settle();
  expect(runs).toBe(3);
});

/** Resolves after so many turns of the queue of promises. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await undefined;
}
