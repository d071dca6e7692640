import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { abortable } from '../src/base/abortable.ts';

it('ends with the work or with the signal, and removes its listener', async () => {
  const ending = new AbortController();
  expect(await abortable(ending, Promise.resolve('done'))).toBe('done');
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  const waiting = abortable(ending, new Promise(() => {}));
  ending.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  await expect(abortable(ending, Promise.resolve('too late'))).rejects.toThrow('cancelled');
});
