/** Tests the log of the kernel's events with slow readers. */
import type { KernelEvent, PendingRequest } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { KernelEvents } from '../src/events/kernel-events.ts';
import type { Reader } from '../src/feed/reader.ts';

const opened = () => new KernelEvents(() => null);
const turn = (id: string) => ({ chat_id: 'c', id });

/** Returns the events that are available to a reader, and the id after the last of them. */
function read(reader: Reader): { events: KernelEvent[]; id: string | undefined } {
  let wire = '';
  for (let piece = reader.take(); piece !== ''; piece = reader.take()) wire += piece;
  const events = [...wire.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  return { events, id: [...wire.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] };
}
const turnsOf = (reader: Reader) =>
  read(reader).events.map(event => ('turn_id' in event ? event.turn_id : event.type));

it('[EV-12] sends a lagging reader all stored events in pieces, and a reset if some were dropped', () => {
  const events = opened();
  const [lagging, lost] = [events.reader(), events.reader()];
  for (let n = 1; n <= 1000; n++) events.turnStarted(turn(`${n}`));
  expect(turnsOf(lagging)).toEqual(['opened', ...Array.from({ length: 1000 }, (_, n) => `${n + 1}`)]);
  events.turnStarted(turn('1001'));
  expect(turnsOf(lagging)).toEqual(['1001']);
  const { events: told, id } = read(lost);
  expect(told).toEqual([{ type: 'opened' }, { type: 'reset' }]);
  events.turnStarted(turn('1002'));
  expect(turnsOf(lost)).toEqual(['1002']);
  // The events that `reset` replaced do not come again when a reader resumes after it.
  expect(turnsOf(events.reader(id))).toEqual(['1002']);
});

it('resumes a reader after the id of any event', () => {
  const events = opened();
  const reader = events.reader();
  for (const id of ['1', '2', '3']) events.turnStarted(turn(id));
  const wire = reader.take();
  const ids = [...wire.matchAll(/"turn_id":"\d"\}\nid: (\S+)$/gm)].map(([, id]) => id as string);
  expect(ids.map(id => turnsOf(events.reader(id)))).toEqual([['2', '3'], ['3'], []]);
  // Ids of another log, and of events to come.
  for (const id of ['x.1', `${ids[0]}.1`, ids[2]?.replace(/3$/, '4'), ids[2]?.replace(/3$/, '-1')])
    expect(turnsOf(events.reader(id))).toEqual(['reset']);
});

it('sends a reset to a reader that falls behind while reading', () => {
  const events = opened();
  const reader = events.reader();
  for (let n = 1; n <= 1000; n++) events.turnStarted(turn(`${n}`));
  const first = reader.take();
  expect(first.length).toBeLessThan(70_000);
  for (let n = 1; n <= 1000; n++) events.turnStarted(turn(`again ${n}`));
  expect(turnsOf(reader)).toEqual(['reset']);
});

it('limits the stored events in bytes, too', () => {
  const events = opened();
  const reader = events.reader();
  const long = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 9; n++) events.sleepChanged({ since: '', until: null, reason: long });
  expect(read(reader).events).toEqual([{ type: 'opened' }, { type: 'reset' }]);
  const kept = Array.from({ length: 9 }, (_, n) => events.frame(n + 1) !== undefined);
  expect(kept).toEqual([false, false, true, true, true, true, true, true, true]);
});

it('omits the bytes from the event of a byte write', () => {
  const events = opened();
  const reader = events.reader();
  const event = { type: 'client_op', id: 'o', op_id: 'o', action: 'write_bytes', path: '/a', data: 'AAAA' };
  const request = { id: 'o', event } as unknown as PendingRequest;
  events.requestOpened(request);
  const { data: _, ...rest } = event;
  expect(read(reader).events.slice(1)).toEqual([
    { type: 'request_opened', request: { id: 'o', event: rest } },
  ]);
  expect(event.data).toBe('AAAA');
});

it('wakes waiting readers once per tick, not without events, and not after they left', async () => {
  const events = opened();
  const woken: string[] = [];
  const [stays, leaves] = [events.reader(), events.reader()];
  for (const reader of [stays, leaves]) reader.take();
  stays.wait(function again() {
    woken.push('stays');
    stays.wait(again);
  });
  leaves.wait(() => woken.push('leaves'));
  leaves.stop();
  for (let n = 0; n < 10; n++) events.chatDeleted(`${n}`);
  await new Promise(resolve => setImmediate(resolve));
  expect(woken).toEqual(['stays']);
  expect(read(stays).events).toHaveLength(10);
  events.chatDeleted('10');
  await new Promise(resolve => setImmediate(resolve));
  expect(woken).toEqual(['stays', 'stays']);
});

it('ends the readers of a closed log after they have read it', () => {
  const events = opened();
  const reader = events.reader();
  events.chatDeleted('a');
  let woken = 0;
  reader.wait(() => woken++);
  events.close();
  events.chatDeleted('b');
  expect([woken, reader.ended]).toEqual([1, false]);
  expect(read(reader).events.slice(1)).toEqual([{ type: 'chat_deleted', chat_id: 'a' }]);
  expect(reader.ended).toBe(true);
});
