import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { abortable } from '../src/abortable.ts';

it('ends with the work or with the signal, and removes its listener', async () => {
  const ending = new AbortController();
  expect(await abortable(Promise.resolve('done'), ending.signal)).toBe('done');
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  const waiting = abortable(new Promise(() => {}), ending.signal);
  ending.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  await expect(abortable(Promise.resolve('too late'), ending.signal)).rejects.toThrow('cancelled');
});
