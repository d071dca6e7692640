/** The items that are printed for good, and the moment when they are. */
import type { Item } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW } from '../src/items/view.ts';
import { lineText } from '../src/text/line.ts';
import { Scrollback } from '../src/transcript/scrollback.ts';
import { agent, call, thinking, user } from './screen-props.ts';

const VIEW = { ...DEFAULT_VIEW, width: 50 };
const printed = (scrollback: Scrollback): string[] =>
  scrollback.chunks.flatMap(chunk => chunk.lines.map(lineText));
const whole = (items: Item[]): string[] => {
  const scrollback = new Scrollback();
  scrollback.advance(items, VIEW);
  return printed(scrollback);
};

// The seed is fixed, so that every run has the same cases.
fc.configureGlobal({ seed: 11 });

describe('the scrollback', () => {
  it('holds back items after an unfinished one, and keeps the order', () => {
    const scrollback = new Scrollback();
    const first = call({ call_id: 'a', status: 'running' });
    const second = call({ call_id: 'b', output: 'done' });
    const live = scrollback.advance([first, second], VIEW).map(lineText);
    expect(printed(scrollback)).toEqual([]);
    expect(live).toEqual(['', '○ shell ls -la', '', '● shell ls -la', '  done']);
    expect(
      scrollback.advance([{ ...first, status: 'completed', output: 'ok' } as Item, second], VIEW),
    ).toEqual([]);
    expect(printed(scrollback)).toEqual(['', '● shell ls -la', '  ok', '', '● shell ls -la', '  done']);
  });

  it('prints a streamed answer exactly like the complete one, for every split', () => {
    const text = 'One.\n\n- a\n- b\n\n```js\nlet x;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd';
    const items = (part: string, status: Item['status']): Item[] => [
      user('q'),
      thinking('hm'),
      agent(part, status),
    ];
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), places => {
        const scrollback = new Scrollback();
        for (const end of places.sort((a, b) => a - b))
          scrollback.advance(items(text.slice(0, end), 'running'), VIEW);
        expect(scrollback.advance(items(text, 'completed'), VIEW)).toEqual([]);
        expect(printed(scrollback)).toEqual(whole(items(text, 'completed')));
      }),
    );
  });

  it('reprints an answer if its final text differs in more than white space', () => {
    const scrollback = new Scrollback();
    scrollback.advance([agent('Wrong.\n\nAnd more\n\n', 'running')], VIEW);
    scrollback.advance([agent('Right.')], VIEW);
    expect(printed(scrollback)).toEqual(['', 'Wrong.', '', '── corrected ──', '', 'Right.']);
    const same = new Scrollback();
    same.advance([agent('Kept.\n\nAnd more\n\n', 'running')], VIEW);
    same.advance([agent('Kept.\n\nAnd more')], VIEW);
    expect(printed(same)).toEqual(['', 'Kept.', '', 'And more']);
  });

  it('does not print a plan, which the screen shows above the input [PLAN-1]', () => {
    expect(
      whole([{ ...agent(''), kind: 'plan', tasks: [{ title: 'x', status: 'pending' }] } as unknown as Item]),
    ).toEqual([]);
  });
});
