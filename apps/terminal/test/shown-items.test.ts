/** The order in which items are printed: printed lines cannot move. */
import type { Item } from '@chat-kernel/client';
import { expect, it } from 'vitest';
import type { AppState } from '../src/state/app-state.ts';
import { shownItems } from '../src/state/waiting-messages.ts';
import { agent, user } from './screen-props.ts';

const of = (turn_id: string, item: Item): Item => ({ ...item, turn_id });
const shown = (...items: Item[]) =>
  shownItems({ waiting: [], chat: null, snapshot: { items } } as unknown as AppState).map(item =>
    'text' in item ? item.text : item.kind,
  );

const one = [of('t1', user('One?')), of('t1', agent('First.'))];
const two = of('t2', agent('Second.'));
const three = of('t3', agent('Third.', 'running'));

it('shows answers only after their messages, also of a turn that is over', () => {
  expect(shown(...one, two, three)).toEqual(['One?', 'First.']);
  const asked = [of('t2', user('Two?')), two, of('t3', user('Three?')), three];
  expect(shown(...one, ...asked)).toEqual(['One?', 'First.', 'Two?', 'Second.', 'Three?', 'Third.']);
});

it('shows a long turn whose message is older than the loaded history', () => {
  expect(shown(...Array.from({ length: 31 }, () => three))).toHaveLength(31);
});
