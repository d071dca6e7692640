/** Tests what a turn whose speaker is not trusted sees of the history (WHO-3). */
import { describe, expect, test } from 'vitest';
import { newMessage } from '../../storage/test/records.ts';
import { forStranger, mayStrangerRead } from '../src/history/for-stranger.ts';
import type { BlockInternal, NewMessage, StoredBlock } from '../src/index.ts';

const TURN = 'turn';
const message = (turn_id: string | null, ...content: StoredBlock[]): NewMessage =>
  newMessage('c', { turn_id, content });
const seen = (messages: NewMessage[], summary: object | null = null): StoredBlock[][] =>
  forStranger({ messages, summary } as Parameters<typeof forStranger>[0], TURN).map(({ content }) => content);

const text = (internal?: BlockInternal): StoredBlock => ({
  type: 'text',
  text: 'text',
  ...(internal && { internal }),
});
const use = (id: string, internal?: BlockInternal): StoredBlock => ({
  ...{ type: 'tool_use', id, name: 'tool', input: {} },
  ...(internal && { internal }),
});
const result = (tool_use_id: string, internal?: BlockInternal): StoredBlock => ({
  ...{ type: 'tool_result', tool_use_id, output: 'output', is_error: false },
  ...(internal && { internal }),
});
const context = (words: string, internal?: BlockInternal): StoredBlock => ({
  ...{ type: 'context', text: words },
  ...(internal && { internal }),
});
const image = (internal?: BlockInternal) =>
  ({ type: 'image', media_type: 'image/png', data: '', ...(internal && { internal }) }) as StoredBlock;
const quote = { type: 'quote', text: 'quote' } as StoredBlock;
const thinking: StoredBlock = { type: 'thinking', text: 'Hm.' };

const FILE = { id: 'f', name: 'a/b.txt', size: 2, media_type: 'text/plain', url: '' };
const file = (place: string): StoredBlock => ({
  type: 'text',
  text: `[file f] b.txt (2 B) — ${place}`,
  internal: { file: FILE },
});
const told = { told: { plan: 'x' } };

describe('[WHO-3] a turn of a stranger', () => {
  test('sees what others wrote, without thinking, calls, context and results', () => {
    const origin = { origin: { provider: 'p' } } as BlockInternal;
    const others = message(
      'other',
      ...[text(), quote, image(), thinking, use('a'), result('a'), image({ of_call: 'a' })],
      ...[context('workdir'), file('at /home/me/b.txt'), text({ ...origin, model: 'm' })],
    );
    expect(seen([others])).toEqual([
      [text(), quote, image(), file('not readable in this turn'), text({ model: 'm' })],
    ]);
  });

  test('sees the calls of earlier strangers, whose results may be in later messages', () => {
    const stranger = { stranger: true } as const;
    const messages = [
      message('a', result('call'), thinking, { ...thinking, internal: stranger }, use('call', stranger)),
      message('b', result('call'), image({ of_call: 'call' }), result('other'), image({ of_call: 'other' })),
      message('c', context('own', stranger), result('other', stranger)),
    ];
    expect(seen(messages)).toEqual([
      [result('call'), { ...thinking, internal: stranger }, use('call', stranger)],
      [result('call'), image({ of_call: 'call' })],
      [context('own', stranger), result('other', stranger)],
    ]);
  });

  test('sees its own messages, without states that it got while its speaker was trusted', () => {
    const own = message(TURN, context('date'), context('plan', told), use('a'), result('a', told), thinking);
    expect(seen([own, message(TURN, file('at /home/me/b.txt'), text())])).toEqual([
      [context('date'), use('a'), result('a', told), thinking],
      [file('readable at file:f'), text()],
    ]);
  });

  test('sees a summary without its paths', () => {
    const summary = context('## Goal\nTo sail.\n## Names and paths\n/home/me\n## State of the work\nDone.');
    const messages = [message(null, summary, text()), message('other', context('## Names and paths\n/a'))];
    const without = context('## Goal\nTo sail.\n## State of the work\nDone.');
    expect(seen(messages, {})).toEqual([[without, text()], []]);
    expect(seen(messages)).toEqual([[text()], []]);
  });

  test('sees the same message as the same object, and as another one in another role', () => {
    const messages = [message(TURN, text()), message('other', text())];
    const view = (turnId: string, summary: object | null = null) =>
      forStranger({ messages, summary } as Parameters<typeof forStranger>[0], turnId);
    const [first, again, swapped] = [view(TURN), view(TURN), view('other')];
    for (const n of [0, 1]) {
      expect(again[n]).toBe(first[n]);
      expect(swapped[n]).not.toBe(first[n]);
    }
    expect(view(TURN, {})[0]).toBe(view('other', {})[0]);
  });
});

test.each([
  [true, 'of its message', message(TURN, file(''))],
  [
    true,
    'of another stranger',
    message('other', text(), { ...file(''), internal: { file: FILE, stranger: true } }),
  ],
  [false, 'of others', message('other', file(''))],
  [false, 'with another id', message(TURN, { ...file(''), internal: { file: { ...FILE, id: 'g' } } })],
  [false, 'that is not attached', message(TURN, text({ stranger: true }))],
])('[WHO-3] %s: a turn of a stranger may read a file %s', (expected, _, each) => {
  expect(mayStrangerRead('f', [message('other', text()), each], TURN)).toBe(expected);
});
