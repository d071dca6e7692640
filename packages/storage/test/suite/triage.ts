/** Tests triage on each database: totals that only grow. */
import { expect, test } from 'vitest';
import type { Stage } from '../stage.ts';

export function triageSuite(stage: Stage): void {
  test('sums up counts, and returns the totals, also after a restart [API-3]', async () => {
    expect(await stage.store.triage.get()).toEqual({ engaged: 0, responded: 0 });
    expect(await stage.store.triage.add({ engaged: 3, responded: 1 })).toEqual({ engaged: 3, responded: 1 });
    const large = 3_000_000_000;
    const totals = { engaged: large + 3, responded: large + 1 };
    expect(await stage.store.triage.add({ engaged: large, responded: large })).toEqual(totals);
    await stage.reopen();
    expect(await stage.store.triage.get()).toEqual(totals);
  });

  test('adds all concurrent counts', async () => {
    await Promise.all(Array.from({ length: 40 }, () => stage.store.triage.add({ engaged: 2, responded: 1 })));
    expect(await stage.store.triage.get()).toEqual({ engaged: 80, responded: 40 });
  });
}
