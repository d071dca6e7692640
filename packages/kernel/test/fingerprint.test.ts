/** How a conversation is known again that has grown. */
import type { ImportMessage } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { countBefore, fingerprintOf } from '../src/archive/fingerprint.ts';

const said = (count: number, chars: number): ImportMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    role: 'user',
    created_at: new Date(n * 1000).toISOString(),
    status: 'completed',
    content: [{ type: 'text', text: `${n}`.padEnd(chars, 'x') }],
  }));

test('[FACE-3] a conversation is known by what it was, however much came since', async () => {
  const messages = said(5, 10);
  const branches = [{ of: 0, before: 1, messages: said(2, 10) }];
  const before = { messages: messages.slice(0, 3), branches };
  expect(await countBefore({ messages, branches }, fingerprintOf(before))).toBe(3);
  expect(await countBefore({ messages, branches: [] }, fingerprintOf(before))).toBeUndefined();
});

test('[FACE-3] nobody waits while a long conversation with large branches is compared', async () => {
  const branches = [{ of: 0, before: 0, messages: said(1, 1024 * 1024) }];
  let turns = 0;
  const timer = setInterval(() => turns++);
  expect(await countBefore({ messages: said(100, 10), branches }, 'another')).toBeUndefined();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});
