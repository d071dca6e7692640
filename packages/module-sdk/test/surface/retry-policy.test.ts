/** Tests the pauses between attempts, and which calls are repeated. */
import { ConnectionError, KernelApiError } from '@chat-kernel/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pause, RetryBackoff, retry, retryUntilAvailable } from '../../src/surface/index.ts';

const PAUSES = { firstMs: 1, maxMs: 2 };
const { signal } = new AbortController();
const answered = (status: number, code: string) =>
  new KernelApiError(status, { code: code as 'internal', detail: code });

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

test('repeats a call to an unreachable or busy kernel', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  const { call } = failing(new ConnectionError('cut'), answered(503, 'too_busy'));
  const repeated = retryUntilAvailable(call, signal);
  await vi.advanceTimersByTimeAsync(200 + 400);
  await expect(repeated).resolves.toBe('done');
});

test.each([
  ['internal', 500],
  ['not_found', 404],
])('does not repeat a call that the kernel answers with %s', async (code, status) => {
  const tried = failing(answered(status, code));
  await expect(retryUntilAvailable(tried.call, signal)).rejects.toMatchObject({ code });
  expect(tried.calls).toBe(1);
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

test('ends pauses on an aborted signal, and calls with its reason', async () => {
  const stopping = new AbortController();
  const waiting = pause(600_000, stopping.signal);
  const options = {
    signal: stopping.signal,
    pauses: { firstMs: 600_000, maxMs: 600_000 },
    isRetryable: () => true,
  };
  const repeated = retry(failing('a').call, options);
  stopping.abort(new Error('It stops.'));
  await waiting;
  await expect(repeated).rejects.toThrow('It stops.');
});
