/** Tests how an extended conversation is recognized. */
import { createHash } from 'node:crypto';
import type { ImportMessage } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { computeFingerprint, countBefore } from '../../src/imports/fingerprint.ts';

const said = (count: number, chars: number): ImportMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    role: 'user',
    created_at: new Date(n * 1000).toISOString(),
    status: 'completed',
    content: [{ type: 'text', text: `${n}`.padEnd(chars, 'x') }],
  }));

test('[FACE-3] recognizes a conversation by its earlier messages, regardless of later ones', async () => {
  const messages = said(5, 10);
  const branches = [{ of: 0, before: 1, messages: said(2, 10) }];
  const before = { messages: messages.slice(0, 3), branches };
  expect(await countBefore({ messages, branches }, await computeFingerprint(before))).toBe(3);
  expect(await countBefore({ messages, branches: [] }, await computeFingerprint(before))).toBeUndefined();
});

test('[FACE-3] yields to other work while it compares a long conversation with large branches', async () => {
  const branches = [{ of: 0, before: 0, messages: said(1, 1024 * 1024) }];
  let turns = 0;
  const timer = setInterval(() => turns++);
  expect(await countBefore({ messages: said(100, 10), branches }, 'another')).toBeUndefined();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

test('[FACE-3] computes the hash of the whole JSON, as in stored imports', async () => {
  for (const branches of [
    [],
    [
      { of: 0, before: 1, messages: said(450, 10) },
      { messages: said(1, 5), of: 1, before: 0 },
    ],
  ]) {
    for (const messages of [[], said(1, 10), said(401, 10)]) {
      const json = JSON.stringify([messages, branches]);
      expect(await computeFingerprint({ messages, branches })).toBe(
        createHash('sha256').update(json).digest('hex'),
      );
    }
  }
});

test('[FACE-3] yields to other work while it computes the fingerprint of a long branch', async () => {
  let isTurn = false;
  setImmediate(() => {
    isTurn = true;
  });
  await computeFingerprint({ messages: [], branches: [{ of: 0, before: 0, messages: said(1000, 10) }] });
  expect(isTurn).toBe(true);
});
