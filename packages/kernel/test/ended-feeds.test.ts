/** Tests what is kept of ended turns for readers whose connection broke. */
import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { EndedFeeds } from '../src/feed/ended-feeds.ts';
import { TurnFeed } from '../src/index.ts';

const turnId = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

/** A closed feed with two events. */
function feedOf(n: number): TurnFeed {
  const feed = new TurnFeed(turnId(n));
  feed.queued(2);
  feed.queued(1);
  feed.close();
  return feed;
}

const opened = (maxBytes = 1_000_000) => {
  const clock = new ManualClock();
  const ended = new EndedFeeds(clock, maxBytes);
  const [first, second, other] = [feedOf(1), feedOf(2), feedOf(3)];
  ended.keep('c', first);
  ended.keep('c', second);
  ended.keep('other', other);
  return { clock, ended, first, second, other };
};

it('continues after an event with the rest of its turn and the turns after it', () => {
  const { ended, first, second } = opened();
  expect(ended.since('c', { turn_id: turnId(1), n: 0 })).toEqual({ feeds: [first, second], whole: true });
  expect(ended.since('c', { turn_id: turnId(1), n: 1 })).toEqual({ feeds: [second], whole: true });
  expect(ended.since('c', { turn_id: turnId(2), n: 1 })).toEqual({ feeds: [], whole: true });
  // The event is not in the log of its turn, or its turn is not kept.
  expect(ended.since('c', { turn_id: turnId(1), n: 7 })).toEqual({ feeds: [first, second], whole: false });
  expect(ended.since('c', { turn_id: turnId(0), n: 1 })).toEqual({ feeds: [first, second], whole: false });
});

it('keeps only the id of the last event of a chat after a minute', async () => {
  const { clock, ended } = opened();
  await clock.advance(60_000);
  expect(ended.get(turnId(2))).toBeUndefined();
  expect(ended.since('c', { turn_id: turnId(2), n: 1 })).toEqual({ feeds: [], whole: true });
  expect(ended.since('c', { turn_id: turnId(2), n: 0 })).toEqual({ feeds: [], whole: false });
});

it('drops everything about a chat that is deleted or rewound, and keeps other chats', async () => {
  const { clock, ended, other } = opened();
  ended.forget('c');
  expect([1, 2, 3].map(n => ended.get(turnId(n)))).toEqual([undefined, undefined, other]);
  expect(ended.since('c', { turn_id: turnId(2), n: 1 })).toEqual({ feeds: [], whole: false });
  await clock.advance(60_000);
  expect(ended.since('other', { turn_id: turnId(3), n: 1 })).toEqual({ feeds: [], whole: true });
});

it('returns the unread feed of a turn only for its own chat', () => {
  const { ended, first } = opened();
  expect(ended.unread('c', `${turnId(1)}.0`)).toBe(first);
  expect(ended.unread('c', `${turnId(1)}.1`)).toBeUndefined();
  expect(ended.unread('other', `${turnId(1)}.0`)).toBeUndefined();
  expect(ended.unread('c', undefined)).toBeUndefined();
});

it('drops the oldest feeds above its limit of bytes, and accepts more after feeds are dropped', () => {
  const size = 2 * feedOf(1).log.chars;
  const { ended, second, other } = opened(2 * size);
  expect([1, 2, 3].map(n => ended.get(turnId(n)))).toEqual([undefined, second, other]);
  ended.forget('c');
  ended.keep('c', feedOf(4));
  expect(ended.get(turnId(3))).toBe(other);
});
