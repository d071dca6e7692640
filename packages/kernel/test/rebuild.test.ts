import type { Event } from '@chat-kernel/protocol';
import { expect, it } from 'vitest';
import { FeedReader } from '../src/feed/reader.ts';
import { rebuildFeed } from '../src/feed/rebuild.ts';
import type { NewMessage, TurnRecord } from '../src/index.ts';
import { NOTHING_USED } from '../src/model/pricing.ts';

const at = '2026-01-01T00:00:00.000Z';

it('[ITEM-8] ends a call whose result was rewound, so that no item stays running', () => {
  const turn = { id: 't', message_id: 'm1', status: 'completed', error: null, usage: NOTHING_USED };
  const reply: NewMessage = {
    id: 'm2',
    chat_id: 'c',
    role: 'assistant',
    turn_id: 't',
    content: [{ type: 'tool_use', id: 'call', name: 'plan', input: {} }],
    created_at: at,
    status: 'completed',
  };
  const feed = rebuildFeed(turn as TurnRecord & { status: 'completed' }, [reply]);
  const wire = new FeedReader(feed.log, { mute: new Set(), replay: true }).take();
  const events = [...wire.matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] as string) as Event);
  expect(events.map(event => event.type)).toEqual([
    'tool_call',
    'item_started',
    'tool_result',
    'item_completed',
    'done',
  ]);
  expect(events[3]).toMatchObject({ item: { status: 'aborted', is_error: true } });
});
