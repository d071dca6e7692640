/** Tests how stored messages are processed: in order, concurrently, and again after a failure. */
import { ConnectionError, KernelApiError } from '@chat-kernel/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Begun, Inbox } from '../../src/surface/index.ts';

/** An inbox of stored numbers: a number is done once `begin` has resolved for it. */
function inboxOf(ids: number[], begin: (id: number, inbox: Inbox) => Promise<Begun | undefined>) {
  const open = new Set(ids);
  const failed: [number, string][] = [];
  const logged: string[] = [];
  const log = { debug() {}, info() {}, warn: (text: string) => void logged.push(text), error() {} };
  const stopping = new AbortController();
  const inbox: Inbox = new Inbox(
    {
      open: () => (inbox.isFull ? [] : [...open]),
      async begin(id) {
        const begun = await begin(id, inbox);
        if (begun && 'rest' in begun) return { rest: begun.rest.then(() => void open.delete(id)) };
        if (!begun) open.delete(id);
        return begun;
      },
      fail(id, reason) {
        open.delete(id);
        failed.push([id, reason]);
      },
    },
    log,
  );
  const running = inbox.run(stopping.signal);
  const stop = () => {
    stopping.abort();
    return running;
  };
  onTestFinished(stop);
  return { inbox, open, failed, logged, stop };
}
const answered = (status: number, code: 'internal' | 'too_busy') =>
  new KernelApiError(status, { code, detail: code });

test('starts messages in order, and follows their turns concurrently', async () => {
  const turns = new Map<number, () => void>();
  const { open } = inboxOf([1, 2, 3], async id => {
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.set(id, resolve);
    return { rest: promise };
  });
  await expect.poll(() => [...turns.keys()]).toEqual([1, 2, 3]);
  turns.get(2)?.();
  await expect.poll(() => [...open]).toEqual([1, 3]);
  for (const end of turns.values()) end();
  await expect.poll(() => open.size).toBe(0);
});

test('starts messages that arrive together', async () => {
  const begun: number[] = [];
  const { inbox, open } = inboxOf([], async id => void begun.push(id));
  open.add(7);
  inbox.wake();
  await expect.poll(() => begun, { timeout: 500, interval: 5 }).toEqual([7]);
});

test('fails a permanently rejected message once with the reason, without blocking others', async () => {
  const begun: number[] = [];
  const { failed, open } = inboxOf([1, 2], async id => {
    begun.push(id);
    if (id === 1) throw answered(500, 'internal');
    return undefined;
  });
  await expect.poll(() => open.size).toBe(0);
  expect(failed).toEqual([[1, 'internal']]);
  expect(begun).toEqual([1, 2]);
});

test('ends the message of a turn that fails permanently', async () => {
  const { failed } = inboxOf([1], async () => ({ rest: Promise.reject(answered(500, 'internal')) }));
  await expect.poll(() => failed).toEqual([[1, 'internal']]);
});

test.each([
  ['cannot be reached', new ConnectionError('cut')],
  ['is busy', answered(503, 'too_busy')],
])('retries a message while the kernel %s', async (_, error) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const { failed, open, inbox } = inboxOf([1], async () => {
    attempts++;
    if (attempts === 1) throw error;
    return undefined;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts).toBe(1);
  // Not before its pause is over, whatever arrives.
  inbox.wake();
  await vi.advanceTimersByTimeAsync(999);
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([open.size, attempts, failed]).toEqual([0, 2, []]);
});

test('postpones a message for the requested time', async () => {
  const begun: number[] = [];
  const { inbox } = inboxOf([1, 2], async id => {
    begun.push(id);
    return id === 1 ? { laterMs: 600_000 } : undefined;
  });
  await expect.poll(() => begun).toEqual([1, 2]);
  inbox.wake();
  await new Promise(resolve => setImmediate(resolve));
  expect(begun).toEqual([1, 2]);
});

test('follows at most 32 turns at once', async () => {
  const ends: (() => void)[] = [];
  const ids = Array.from({ length: 40 }, (_, id) => id);
  const { inbox } = inboxOf(ids, async (_, inbox) => {
    if (inbox.isFull) return { laterMs: 0 };
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return { rest: promise };
  });
  await expect.poll(() => inbox.isFull).toBe(true);
  expect(ends).toHaveLength(32);
  for (const end of ends) end();
  await expect.poll(() => ends.length).toBe(40);
  for (const end of ends) end();
});

test('stops together with its turns', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isBegun = false;
  const { stop } = inboxOf([1], async () => {
    isBegun = true;
    return { rest: promise };
  });
  await expect.poll(() => isBegun).toBe(true);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await new Promise(resolve => setImmediate(resolve));
  expect(isStopped).toBe(false);
  resolve();
  await stopped;
});
