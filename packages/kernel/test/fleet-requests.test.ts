/** Tests what a kernel knows about which kernel opened which request. */
import type { KernelEvent, PendingRequest } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { FleetRequests } from '../src/events/fleet-requests.ts';

const opened = (turn_id: string, id: string, question?: number): KernelEvent => ({
  type: 'request_opened',
  request: { chat_id: 'c', turn_id, id, ...(question !== undefined && { question }) } as PendingRequest,
});
const resolved = (turn_id: string, id: string, question?: number): KernelEvent =>
  ({
    type: 'request_resolved',
    chat_id: 'c',
    turn_id,
    id,
    ...(question !== undefined && { question }),
  }) as KernelEvent;

it('lists the requests of a turn that are still open, each question on its own', () => {
  const requests = new FleetRequests();
  for (const event of [opened('t', 'a', 0), opened('t', 'a', 1), opened('t', 'b'), opened('u', 'c')])
    requests.onEvent('k', event);
  requests.onEvent('k', resolved('t', 'a', 0));
  requests.onEvent('k', resolved('u', 'b'));
  requests.onEvent('k', { type: 'memory_changed' });
  const open = requests.openOf('t').map(({ id, question }) => [id, question]);
  expect(open).toEqual([
    ['a', 1],
    ['b', undefined],
  ]);
});

it('names the kernel with the open request of an id, else the last one that had the id', () => {
  const requests = new FleetRequests();
  expect(requests.holderOf('a', undefined)).toBeUndefined();
  requests.onEvent('k1', opened('t', 'a'));
  requests.onEvent('k2', opened('u', 'a'));
  expect(requests.holderOf('a', undefined)).toBe('k2');
  requests.onEvent('k2', resolved('u', 'a'));
  expect(requests.holderOf('a', undefined)).toBe('k1');
  requests.onEvent('k1', resolved('t', 'a'));
  expect(requests.holderOf('a', undefined)).toBe('k2');
  expect(requests.holderOf('a', 'k2')).toBe('k1');
});

it('keeps the latest 2000 ids', () => {
  const requests = new FleetRequests();
  for (let n = 0; n <= 2000; n++) requests.onEvent('k', opened('t', `${n}`));
  expect([requests.holderOf('0', undefined), requests.holderOf('1', undefined)]).toEqual([undefined, 'k']);
});
