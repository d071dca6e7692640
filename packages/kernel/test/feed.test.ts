import type { Event, Item } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeedReader } from '../src/feed/reader.ts';
import { type StoredBlock, TurnFeed } from '../src/index.ts';

const TURN = '01900000-0000-7000-8000-000000000001';
const AT = '2026-01-01T00:00:00.000Z';
const loud = { mute: new Set<never>(), replay: false };
const tick = () => new Promise(resolve => setImmediate(resolve));

/** A step of a random turn. */
type Step = { say: string } | { think: string } | { call: string; failed: boolean } | { tick: true };
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }).map((say): Step => ({ say })) },
    fc.string({ minLength: 1 }).map((think): Step => ({ think })),
    fc.tuple(fc.string(), fc.boolean()).map(([call, failed]): Step => ({ call, failed })),
    { weight: 3, arbitrary: fc.constant<Step>({ tick: true }) },
  ),
  { minLength: 1, maxLength: 25 },
);

describe('[EV-11] both event sets deliver the same content, at any pace', () => {
  it('deliver the same events to readers that join at any time, disconnect anywhere and resume', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), async (made, cuts) => {
        const feed = new TurnFeed(TURN);
        const readers = cuts.map(cut => new Interrupted(feed, cut));
        await play(feed, made, () => readers.forEach(reader => void reader.read()));
        const whole = parse(new FeedReader(feed.log, loud).take());
        for (const reader of readers) expect(reader.finish()).toEqual(whole);
        expect(textsOf(whole)).toEqual(itemTextsOf(whole));
        expect(itemsOf(whole).every(item => item.status !== 'running')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('muting one set leaves the other complete', async () => {
    const feed = new TurnFeed(TURN);
    await play(feed, [{ say: 'a' }, { tick: true }, { say: 'b' }, { call: 'x', failed: false }], () => {});
    const items = ['item_started', 'item_delta', 'item_completed'] as const;
    const original = parse(new FeedReader(feed.log, { mute: new Set(items), replay: false }).take());
    expect(original.map(event => event.type)).toEqual([
      'text_delta',
      'text_delta',
      'tool_call',
      'tool_result',
      'done',
    ]);
  });
});

it('counts a reader until it is stopped, once', () => {
  const { log } = new TurnFeed(TURN);
  const [one, two] = [new FeedReader(log, loud), new FeedReader(log, loud)];
  one.stop();
  one.stop();
  expect(log.readers).toBe(1);
  two.stop();
  expect(log.readers).toBe(0);
});

describe('the wire of a frame', () => {
  it('[WIRE-1] has one data line and an id line, and a replay differs only by its flag', () => {
    const feed = new TurnFeed(TURN);
    feed.queued(2);
    expect(new FeedReader(feed.log, loud).take()).toBe(
      `data: {"type":"queued","position":2}\nid: ${TURN}.0\n\n`,
    );
    expect(new FeedReader(feed.log, { ...loud, replay: true }).take()).toBe(
      `data: {"type":"queued","position":2,"replayed":true}\nid: ${TURN}.0\n\n`,
    );
  });

  it('[EV-1] is one line for every client, also with line separators outside of SSE', () => {
    const feed = new TurnFeed(TURN);
    const input = { 'a\u2028': 'b\u2029c\u0085d' };
    feed.call({ type: 'tool_use', id: 'c', name: 't', input }, AT);
    const wire = new FeedReader(feed.log, loud).take();
    expect(wire).not.toMatch(/[\u0085\u2028\u2029]/);
    expect(parse(wire)[0]).toMatchObject({ input });
  });

  it('[EV-12] has no replay flag after the replay', async () => {
    const feed = new TurnFeed(TURN);
    feed.queued(1);
    const reader = new FeedReader(feed.log, { ...loud, replay: true });
    feed.queued(0);
    expect(parse(reader.take()).map(event => event.replayed)).toEqual([true, undefined]);
  });

  it('merges deltas of one tick into one event', async () => {
    const feed = new TurnFeed(TURN);
    await play(feed, [{ say: 'a' }, { say: 'b' }, { tick: true }, { say: 'c' }], () => {});
    const deltas = parse(new FeedReader(feed.log, loud).take()).filter(event => event.type === 'text_delta');
    expect(deltas.map(delta => delta.text)).toEqual(['ab', 'c']);
  });
});

it('[EV-3] replaces the previous snapshot, so that a flood costs only its last one, and keeps ids', () => {
  const feed = new TurnFeed(TURN);
  const call = feed.call({ type: 'tool_use', id: 'c', name: 't', input: {} }, AT);
  const watching = new FeedReader(feed.log, loud);
  watching.take();
  for (let n = 0; n < 1000; n++) feed.progress(call, `${n} `.repeat(2000));
  expect(feed.log.chars).toBeLessThan(50_000);
  const seen = parse(watching.take()).filter(event => event.type === 'tool_progress');
  expect(seen.map(({ output }) => output.slice(0, 4))).toEqual(['999 ']);
  const late = new FeedReader(feed.log, { ...loud, replay: true, after: `${TURN}.100` }).take();
  expect([...late.matchAll(/^id: .*\.(\d+)$/gm)].map(([, n]) => n)).toEqual(['2000', '2001']);
});

it('counts as read while it has a reader, and after its end if it had one then', () => {
  const [read, unread] = [new TurnFeed(TURN), new TurnFeed(TURN)];
  expect(read.log.read).toBe(false);
  const [stays, leaves] = [new FeedReader(read.log, loud), new FeedReader(unread.log, loud)];
  expect([read.log.read, unread.log.read]).toEqual([true, true]);
  leaves.stop();
  leaves.stop();
  expect([unread.log.readers, unread.log.read]).toEqual([0, false]);
  for (const feed of [read, unread]) feed.log.close();
  const late = new FeedReader(unread.log, loud);
  expect([read.log.read, unread.log.read]).toEqual([true, false]);
  unread.log.close();
  stays.stop();
  read.log.close();
  expect([read.log.read, unread.log.read, late.ended]).toEqual([true, false, true]);
});

/** Reads until `cut` events, disconnects, and resumes by Last-Event-ID to finish. */
class Interrupted {
  readonly #feed: TurnFeed;
  readonly #cut: number;
  #wire = '';
  #reader: FeedReader;

  constructor(feed: TurnFeed, cut: number) {
    this.#feed = feed;
    this.#cut = cut;
    this.#reader = new FeedReader(feed.log, loud);
  }

  read(): void {
    if (this.#wire.split('\n\n').length <= this.#cut) this.#wire += this.#reader.take();
  }

  finish(): Event[] {
    // The connection breaks at some byte: everything after the last whole event is lost.
    const frames = this.#wire.split('\n\n').slice(0, this.#cut);
    const seen = frames.filter(frame => frame !== '').map(frame => `${frame}\n\n`);
    const last = /^id: (.*)$/m.exec(seen.at(-1) ?? '')?.[1];
    const rest = new FeedReader(this.#feed.log, { ...loud, ...(last !== undefined && { after: last }) });
    return parse(seen.join('') + rest.take());
  }
}

async function play(feed: TurnFeed, made: Step[], onTick: () => void): Promise<void> {
  let open: {
    block: Extract<StoredBlock, { type: 'text' | 'thinking' }>;
    item: ReturnType<TurnFeed['begin']>;
  } | null = null;
  const end = () => {
    if (open) feed.end(open.item);
    open = null;
  };
  const write = (type: 'text' | 'thinking', words: string) => {
    if (open?.block.type !== type) {
      end();
      const block = { type, text: '' };
      open = { block, item: feed.begin(block, AT) };
    }
    open.block.text += words;
    feed.text(open.item, words);
  };
  for (const [index, step] of made.entries()) {
    if ('say' in step) write('text', step.say);
    else if ('think' in step) write('thinking', step.think);
    else if ('call' in step) {
      end();
      const id = `call${index}`;
      const item = feed.call({ type: 'tool_use', id, name: 't', input: { with: step.call } }, AT);
      feed.result(item, { type: 'tool_result', tool_use_id: id, output: step.call, is_error: step.failed });
    } else {
      await tick();
      onTick();
    }
  }
  end();
  const usage = {
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cost_usd: null,
  };
  feed.done({ status: 'completed', stop_reason: 'stop', message_ids: [], usage });
}

const parse = (wire: string): Event[] =>
  [...wire.matchAll(/^data: (.*)$/gm)].map(match => JSON.parse(match[1] as string) as Event);

const textsOf = (events: Event[]): string =>
  events
    .map(event => (event.type === 'text_delta' || event.type === 'thinking_delta' ? event.text : ''))
    .join('');

function itemTextsOf(events: Event[]): string {
  const deltas = events.map(event =>
    event.type === 'item_delta' && event.delta.type === 'text' ? event.delta.text : '',
  );
  const finals = itemsOf(events).map(item => ('text' in item ? item.text : ''));
  expect(finals.join('')).toBe(deltas.join(''));
  return deltas.join('');
}

const itemsOf = (events: Event[]): Item[] =>
  events.flatMap(event => (event.type === 'item_completed' ? [event.item] : []));
