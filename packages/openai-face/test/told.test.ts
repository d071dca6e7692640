/** What a chat is told beside its user's words, and that it can be read back out of the history. */
import { expect, it } from 'vitest';
import { conversationOf } from '../src/conversation/conversation.ts';
import { fingerprintOf } from '../src/conversation/entries.ts';
import { contextOf, toldIn, toldOf } from '../src/conversation/told.ts';
import type { Message } from '../src/wire/request.ts';

const said = (role: 'system' | 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});
const HI = said('user', 'Hi.');

it('is nothing where there is nothing to tell', () => {
  expect(contextOf(conversationOf([HI]), undefined, [])).toBeUndefined();
});

it('names the conversation before and the instructions in its first line', () => {
  const conversation = conversationOf([said('system', 'Be brief.'), HI, said('assistant', 'Yes?'), HI]);
  const context = contextOf(conversation, undefined, [])!;
  expect(toldIn(context)).toEqual(toldOf(conversation));
  expect(toldOf(conversation).before).toBe(fingerprintOf(conversation.entries));
  expect(context).toContain('Be brief.');
  expect(context).toContain('user: Hi.\n\nassistant: Yes?');
  // Known to the chat, it is not told again.
  expect(contextOf(conversation, toldOf(conversation), [])).toBeUndefined();
});

it('is nobody else’s: other contexts tell nothing', () => {
  for (const text of [
    '',
    '[caller]',
    'x [caller before= instructions=]',
    '[caller before=XYZ instructions=]',
  ]) {
    expect(toldIn(text)).toBeUndefined();
  }
});
