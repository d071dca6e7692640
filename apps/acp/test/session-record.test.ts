/** The permissions that an owner gave in a session of an editor. */
import type { Operation } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { sessionRecord } from '../src/session-record.ts';

const operation = (action: string, params: Record<string, unknown>): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action,
  params,
});
const MAKE = operation('shell', { command: 'make all' });
const WRITE = operation('write', { path: 'a.txt' });

test('[HANDS-7] treats an unknown stored decision as allow once', () => {
  const record = sessionRecord('/srv');
  record.give({ decision: 'allow_for_now' as 'allow_always' }, MAKE);
  expect(record.covers(MAKE)).toBe(false);
});

test('[CONSENT-7] says whether only a prefix covers a command, and covers no option that starts programs', () => {
  const record = sessionRecord('/srv');
  const shell = (command: string) => operation('shell', { command });
  record.give({ decision: 'allow_prefix', prefix: 'git diff' }, shell('git diff'));
  record.give({ decision: 'allow_always' }, shell('git diff --ext-diff'));
  const covered = (command: string) => [
    record.covers(shell(command)),
    record.coversByPrefix?.(shell(command)),
  ];
  expect(covered('git diff --stat')).toEqual([true, true]);
  expect(covered('git diff --ext-diff')).toEqual([true, false]);
  expect(covered('git diff --output=x')).toEqual([false, false]);
});

test.each([
  ['allow_always', MAKE, MAKE],
  ['allow_prefix', MAKE, operation('shell', { command: 'make test' })],
  ['allow_edits', WRITE, operation('write', { path: 'b.txt' })],
] as const)('[HANDS-7] covers what %s reaches', (decision, given, later) => {
  const record = sessionRecord('/srv');
  expect(record.covers(later)).toBe(false);
  record.give({ decision, prefix: 'make' }, given);
  expect(record.covers(later)).toBe(true);
});
