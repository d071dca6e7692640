/** Tests which calls to the kernel are repeated. */
import { ConnectionError, KernelApiError } from '@chat-kernel/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pause, retryUntilAvailable } from '../../src/surface/index.ts';

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

test('ends a pause on an aborted signal without an error', async () => {
  const stopping = new AbortController();
  const waiting = pause(600_000, stopping.signal);
  stopping.abort(new Error('It stops.'));
  await expect(waiting).resolves.toBeUndefined();
});
