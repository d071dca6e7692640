import { expect, it } from 'vitest';
import { Semaphore } from '../src/index.ts';

it('runs as much work at once as it has slots, in the order in which it came', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const all = gates.map(({ promise }, n) =>
    semaphore.run(async () => {
      begun.push(n);
      await promise;
      return n;
    }),
  );
  await Promise.resolve();
  expect([begun, semaphore.waiting]).toEqual([[0, 1], 2]);
  gates[1]?.resolve();
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

it('passes a slot on after a failure, and starts no aborted work', async () => {
  const semaphore = new Semaphore(1);
  const failed = semaphore.run(() => Promise.reject(new Error('broken')));
  const aborted = semaphore.run(() => Promise.resolve('late'), AbortSignal.abort(new Error('canceled')));
  await expect(failed).rejects.toThrow('broken');
  await expect(aborted).rejects.toThrow('canceled');
  expect(semaphore.acquire()).toBeUndefined();
  expect(semaphore.acquire()).toBeInstanceOf(Promise);
});
