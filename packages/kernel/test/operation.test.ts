import type { EventOf } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { FeedReader } from '../src/feed/reader.ts';
import { TurnFeed } from '../src/index.ts';
import { toDrawable } from '../src/items/operation.ts';

it('sends the first 65,536 characters of a file and no bytes to a client that only shows an operation', () => {
  const operation = (content: string) =>
    ({
      type: 'client_op',
      id: 'e',
      op_id: 'o',
      action: 'write_file',
      path: 'a',
      content,
      data: 'AA==',
    }) as EventOf<'client_op'>;
  const { data: _, ...whole } = operation('x'.repeat(65_536));
  expect(toDrawable(operation('x'.repeat(65_536)))).toEqual(whole);
  expect(toDrawable(operation('x'.repeat(65_537))).content).toBe(
    `${'x'.repeat(65_536)}\n[truncated: the client has the full text]`,
  );
});

it('removes the bytes and long texts of an operation from the log once it has ended', () => {
  const feed = new TurnFeed('01900000-0000-7000-8000-000000000001');
  const operations = {
    bytes: { action: 'write_bytes', data: 'AAAA' },
    long: { action: 'write_file', content: 'x'.repeat(8192) },
    short: { action: 'write_file', content: 'x' },
  };
  for (const [id, fields] of Object.entries(operations)) {
    const event = { type: 'client_op', id, op_id: id, path: '/a', ...fields } as EventOf<'client_op'>;
    feed.requestOpened(event, '2026-01-01T00:00:00.000Z');
  }
  const sent = (): string[] => {
    const wire = new FeedReader(feed.log, { mute: new Set(['item_started']), replay: false }).take();
    return [...wire.matchAll(/"type":"client_op","id":"(\w+)"/g)].map(([, id]) => id as string);
  };
  expect(sent()).toEqual(['bytes', 'long', 'short']);
  for (const id of Object.keys(operations))
    feed.requestResolved({ id, kind: 'op', reason: 'answered' }, false);
  expect(sent()).toEqual(['short']);
});
