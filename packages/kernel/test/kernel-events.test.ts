/** The log of the kernel's events, and readers that are slower than it. */
import type { KernelEvent, PendingRequest } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { KernelEvents } from '../src/events/kernel-events.ts';
import type { Reader } from '../src/feed/reader.ts';

const opened = () => new KernelEvents(() => null);
const turn = (id: string) => ({ chat_id: 'c', id });

/** All that a reader has now: the events, and the id behind the last of them. */
function read(reader: Reader): { events: KernelEvent[]; id: string | undefined } {
  let wire = '';
  for (let piece = reader.take(); piece !== ''; piece = reader.take()) wire += piece;
  const events = [...wire.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string));
  return { events, id: [...wire.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] };
}
const turnsOf = (reader: Reader) =>
  read(reader).events.map(event => ('turn_id' in event ? event.turn_id : event.type));

it('[EV-12] a reader that lags gets all of what is kept, in pieces, and reset once the log has gone on without it', () => {
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
  // The events that `reset` stood for do not come again where a reader resumes behind it.
  expect(turnsOf(events.reader(id))).toEqual(['1002']);
});

it('a reader that falls behind in the middle of its reading is told so there', () => {
  const events = opened();
  const reader = events.reader();
  for (let n = 1; n <= 1000; n++) events.turnStarted(turn(`${n}`));
  const first = reader.take();
  expect(first.length).toBeLessThan(70_000);
  for (let n = 1; n <= 1000; n++) events.turnStarted(turn(`again ${n}`));
  expect(turnsOf(reader)).toEqual(['reset']);
});

it('what is kept has a limit in bytes too', () => {
  const events = opened();
  const reader = events.reader();
  const long = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 9; n++) events.sleepChanged({ since: '', until: null, reason: long });
  expect(read(reader).events).toEqual([{ type: 'opened' }, { type: 'reset' }]);
  const kept = Array.from({ length: 9 }, (_, n) => events.frame(n + 1) !== undefined);
  expect(kept).toEqual([false, false, true, true, true, true, true, true, true]);
});

it('a write of bytes is told without them', () => {
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

it('readers that wait are woken once for all of one tick, not when nothing happens, and not after they left', async () => {
  const events = opened();
  const woken: string[] = [];
  const [stays, leaves] = [events.reader(), events.reader()];
  for (const reader of [stays, leaves]) reader.take();
  stays.wait(() => woken.push('stays'));
  leaves.wait(() => woken.push('leaves'));
  leaves.stop();
  for (let n = 0; n < 10; n++) events.chatDeleted(`${n}`);
  await new Promise(resolve => setImmediate(resolve));
  expect(woken).toEqual(['stays']);
  expect(read(stays).events).toHaveLength(10);
});

it('a log that is closed ends its readers, once they have read it', () => {
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
