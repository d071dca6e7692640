/** Tests the pauses between attempts, and which calls are repeated. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { pause, RetryBackoff, retry, WakeablePause } from '../src/index.ts';

const PAUSES = { firstMs: 1, maxMs: 2 };
const { signal } = new AbortController();

/** Fails with each of the errors, one after the other, and then succeeds. */
function failing(...errors: unknown[]): { call: () => Promise<string>; calls: number } {
  const tried = {
    calls: 0,
    async call() {
      const error = errors[tried.calls++];
      if (error !== undefined) throw error;
      return 'done';
    },
  };
  return tried;
}

test('increases pauses to the maximum, and resets them after a success', () => {
  const backoff = new RetryBackoff({ firstMs: 200, maxMs: 1000 });
  expect([1, 2, 3, 4, 5].map(() => backoff.nextMs())).toEqual([200, 400, 800, 1000, 1000]);
  expect(backoff.failures).toBe(5);
  backoff.reset();
  expect(backoff.nextMs()).toBe(200);
});

test('makes a part of each pause random', () => {
  const backoff = new RetryBackoff({ firstMs: 200, maxMs: 200, jitter: 0.5 });
  for (let n = 0; n < 50; n++) {
    const ms = backoff.nextMs();
    expect(ms).toBeGreaterThan(100);
    expect(ms).toBeLessThanOrEqual(200);
  }
});

test('gives up after the maximum number of attempts, and after an error that is not retryable', async () => {
  const options = { pauses: PAUSES, maxAttempts: 3, isRetryable: (error: unknown) => error !== 'final' };
  const many = failing('a', 'b', 'c', 'd');
  await expect(retry(many.call, options)).rejects.toBe('c');
  expect(many.calls).toBe(3);
  const final = failing('a', 'final');
  await expect(retry(final.call, options)).rejects.toBe('final');
  expect(final.calls).toBe(2);
});

test('cancels its timer and removes its listener', async () => {
  const calls: string[] = [];
  const after = (ms: number) => {
    calls.push(`after ${ms}`);
    return () => void calls.push('cancel');
  };
  const stopping = new AbortController();
  const waiting = pause(5, { clock: { after }, signal: stopping.signal });
  stopping.abort(new Error('It stops.'));
  await expect(waiting).rejects.toThrow('It stops.');
  expect(calls).toEqual(['after 5', 'cancel']);
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
});

test('a wake ends the current pause of a loop, or the next one', async () => {
  const loop = new WakeablePause();
  loop.wake();
  await loop.wait(600_000, signal);
  const waiting = loop.wait(600_000, signal);
  loop.wake();
  await waiting;
  await loop.wait(600_000, AbortSignal.abort());
});

test('waits as long as the other side requests', async () => {
  const waits: number[] = [];
  const { call } = failing('a', 'b');
  const options = { signal, pauses: PAUSES, isRetryable: () => true };
  const retryAfterMs = (error: unknown) => {
    waits.push(Date.now());
    return error === 'a' ? 30 : undefined;
  };
  await expect(retry(call, { ...options, retryAfterMs })).resolves.toBe('done');
  expect(waits[1]! - waits[0]!).toBeGreaterThanOrEqual(28);
});

test('ends pauses and calls with the reason of an aborted signal', async () => {
  const stopping = new AbortController();
  const waiting = pause(600_000, { signal: stopping.signal });
  const options = {
    signal: stopping.signal,
    pauses: { firstMs: 600_000, maxMs: 600_000 },
    isRetryable: () => true,
  };
  const repeated = retry(failing('a').call, options);
  stopping.abort(new Error('It stops.'));
  await expect(waiting).rejects.toThrow('It stops.');
  await expect(repeated).rejects.toThrow('It stops.');
});
