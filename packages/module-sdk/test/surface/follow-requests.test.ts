/** Tests that a surface shows the open requests of the kernel, and closes those that were decided. */
import {
  KernelApiError,
  type KernelClient,
  type KernelEvent,
  type PendingRequest,
} from '@chat-kernel/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followRequests, requestKey } from '../../src/surface/index.ts';

const request = (id: string, question?: number) =>
  ({ chat_id: 'c1', id, ...(question !== undefined && { question }) }) as PendingRequest;

/** Follows a kernel with these open requests and events; all connections except the last end after their events. */
function follow(lists: (PendingRequest[] | Error)[], connections: object[][], known: string[] = []) {
  const shown = new Set(known);
  const did: string[] = [];
  const logged: string[] = [];
  const stopping = new AbortController();
  const kernel: Partial<KernelClient> = {
    async *events() {
      yield* (connections.shift() ?? []) as KernelEvent[];
      if (connections.length === 0)
        await new Promise(resolve => stopping.signal.addEventListener('abort', resolve));
    },
    async listRequests() {
      const list = lists.length > 1 ? lists.shift() : lists[0];
      if (list instanceof Error) throw list;
      return { requests: list ?? [] };
    },
  };
  const board = {
    show(each: PendingRequest) {
      if (shown.has(requestKey(each))) return;
      shown.add(requestKey(each));
      did.push(`show ${requestKey(each)}`);
    },
    shown: () => new Map([...shown].map(key => [key, key])),
    close(key: string, how: string) {
      shown.delete(key);
      did.push(`close ${key}: ${how}`);
    },
  };
  const log = { debug() {}, info() {}, warn: (text: string) => void logged.push(text), error() {} };
  const following = followRequests(board, { kernel: kernel as KernelClient, log, signal: stopping.signal });
  onTestFinished(() => {
    stopping.abort();
    return following;
  });
  return { did, logged };
}

test('shows requests opened, and closes requests decided, while the module was down', async () => {
  const { did } = follow([[request('r1'), request('r2', 0)]], [[{ type: 'opened' }]], ['c1 r1', 'c1 r9']);
  await expect.poll(() => did).toEqual(['show c1 r2 0', 'close c1 r9: no longer open']);
});

test('shows and closes requests as they arrive', async () => {
  const resolved = (id: string, more: object) => ({ type: 'request_resolved', chat_id: 'c1', id, ...more });
  const { did } = follow(
    [[]],
    [
      [
        { type: 'opened' },
        { type: 'request_opened', request: request('r1') },
        { type: 'request_opened', request: request('r2') },
        resolved('r1', { decision: 'deny', reason: 'answered' }),
        resolved('r2', { reason: 'expired' }),
        resolved('unknown', { reason: 'expired' }),
      ],
    ],
  );
  await expect
    .poll(() => did)
    .toEqual(['show c1 r1', 'show c1 r2', 'close c1 r1: deny', 'close c1 r2: expired']);
});

test('follows again after a failed list of requests', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], fakeNodeBuiltins: true });
  onTestFinished(() => void vi.useRealTimers());
  const failed = new KernelApiError(500, { code: 'internal', detail: 'It failed.' });
  const { did, logged } = follow([failed, [request('r1')]], [[{ type: 'opened' }], [{ type: 'opened' }]]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(did).toEqual(['show c1 r1']);
  expect(logged).toEqual(['Requests are not shown for now: It failed.']);
});
