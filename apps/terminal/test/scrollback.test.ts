/** What of a chat is printed for good, and when. */
import type { Item } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW } from '../src/items/view.ts';
import { lineText } from '../src/text/line.ts';
import { Scroll } from '../src/transcript/scrollback.ts';
import { agent, call, thinking, user } from './screen-props.ts';

const VIEW = { ...DEFAULT_VIEW, width: 50 };
const printed = (scroll: Scroll): string[] => scroll.chunks.flatMap(chunk => chunk.lines.map(lineText));
const whole = (items: Item[]): string[] => {
  const scroll = new Scroll();
  scroll.advance(items, VIEW);
  return printed(scroll);
};

// The same cases in every run.
fc.configureGlobal({ seed: 11 });

describe('the scroll', () => {
  it('holds back what stands after something unfinished, and keeps the order', () => {
    const scroll = new Scroll();
    const first = call({ call_id: 'a', status: 'running' });
    const second = call({ call_id: 'b', output: 'done' });
    const live = scroll.advance([first, second], VIEW).map(lineText);
    expect(printed(scroll)).toEqual([]);
    expect(live).toEqual(['', '○ shell ls -la', '', '● shell ls -la', '  done']);
    expect(scroll.advance([{ ...first, status: 'completed', output: 'ok' } as Item, second], VIEW)).toEqual(
      [],
    );
    expect(printed(scroll)).toEqual(['', '● shell ls -la', '  ok', '', '● shell ls -la', '  done']);
  });

  it('prints a streamed answer as it would print the whole, however it was cut', () => {
    const text = 'One.\n\n- a\n- b\n\n```js\nlet x;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd';
    const items = (part: string, status: Item['status']): Item[] => [
      user('q'),
      thinking('hm'),
      agent(part, status),
    ];
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), places => {
        const scroll = new Scroll();
        for (const end of places.sort((a, b) => a - b))
          scroll.advance(items(text.slice(0, end), 'running'), VIEW);
        expect(scroll.advance(items(text, 'completed'), VIEW)).toEqual([]);
        expect(printed(scroll)).toEqual(whole(items(text, 'completed')));
      }),
    );
  });

  it('prints an answer again where its final text is another one, and not where only blanks went', () => {
    const scroll = new Scroll();
    scroll.advance([agent('Wrong.\n\nAnd more\n\n', 'running')], VIEW);
    scroll.advance([agent('Right.')], VIEW);
    expect(printed(scroll)).toEqual(['', 'Wrong.', '', '── corrected ──', '', 'Right.']);
    const same = new Scroll();
    same.advance([agent('Kept.\n\nAnd more\n\n', 'running')], VIEW);
    same.advance([agent('Kept.\n\nAnd more')], VIEW);
    expect(printed(same)).toEqual(['', 'Kept.', '', 'And more']);
  });

  it('prints nothing of a plan: the screen has a place for it [PLAN-1]', () => {
    expect(
      whole([{ ...agent(''), kind: 'plan', tasks: [{ title: 'x', status: 'pending' }] } as unknown as Item]),
    ).toEqual([]);
  });
});
