/** Tests the context that a chat gets in addition to its user's text, and that it can be restored from history. */
import { expect, it } from 'vitest';
import { buildContext, callerContext, toldIn } from '../src/conversation/caller-context.ts';
import { parseConversation } from '../src/conversation/conversation.ts';
import { fingerprintEntries } from '../src/conversation/entries.ts';
import type { Message } from '../src/wire/request.ts';

const said = (role: 'system' | 'user' | 'assistant', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});
const HI = said('user', 'Hi.');

it('is empty if there is nothing to pass', () => {
  expect(buildContext(parseConversation([HI]), undefined, [])).toBeUndefined();
});

it('puts the previous conversation and the instructions into its first line', () => {
  const conversation = parseConversation([said('system', 'Be brief.'), HI, said('assistant', 'Yes?'), HI]);
  const context = buildContext(conversation, undefined, [])!;
  expect(toldIn(context)).toEqual(callerContext(conversation));
  expect(callerContext(conversation).before).toBe(fingerprintEntries(conversation.entries));
  expect(context).toContain('Be brief.');
  expect(context).toContain('user: Hi.\n\nassistant: Yes?');
  // The chat already has it, so it is not sent again.
  expect(buildContext(conversation, callerContext(conversation), [])).toBeUndefined();
});

it('does not match other contexts', () => {
  for (const text of [
    '',
    '[caller]',
    'x [caller before= instructions=]',
    '[caller before=XYZ instructions=]',
  ]) {
    expect(toldIn(text)).toBeUndefined();
  }
});
