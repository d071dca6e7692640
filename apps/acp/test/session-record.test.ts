/** The permissions that an owner gave in a session of an editor. */
import { DECISION_FACTS, type Operation } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { addAllowToday, DAY_MS } from '../../../test/harness/decision.ts';
import { SessionRecord } from '../src/session-record.ts';

const operation = (action: string, params: Record<string, unknown>): Operation => ({
  op_id: 'o',
  chat_id: 'c',
  action,
  params,
});
const MAKE = operation('shell', { command: 'make all' });
const WRITE = operation('write', { path: 'a.txt' });

test('[HANDS-7] treats an unknown stored decision as allow once', () => {
  const record = new SessionRecord('/srv');
  record.give({ decision: 'allow_for_now' as 'allow_always' }, MAKE);
  expect(record.covers(MAKE)).toBe(false);
});

test('[CONSENT-7] says whether only a prefix covers a command, and covers no option that starts programs', () => {
  const record = new SessionRecord('/srv');
  const shell = (command: string) => operation('shell', { command });
  record.give({ decision: 'allow_prefix', prefix: 'git diff' }, shell('git diff'));
  record.give({ decision: 'allow_always' }, shell('git diff --ext-diff'));
  const covered = (command: string) => [record.covers(shell(command)), record.coversByPrefix(shell(command))];
  expect(covered('git diff --stat')).toEqual([true, true]);
  expect(covered('git diff --ext-diff')).toEqual([true, false]);
  expect(covered('git diff --output=x')).toEqual([false, false]);
});

test.each([
  ['same', MAKE, MAKE],
  ['prefix', MAKE, operation('shell', { command: 'make test' })],
  ['edits', WRITE, operation('write', { path: 'b.txt' })],
] as const)('[HANDS-7] ends a decision for one day that reaches %s after that day', (reach, given, later) => {
  let now = 0;
  const record = new SessionRecord('/srv', () => now);
  record.give({ decision: addAllowToday(DECISION_FACTS, { reach }), prefix: 'make' }, given);
  now = DAY_MS - 1;
  expect(record.covers(later)).toBe(true);
  now = DAY_MS;
  expect(record.covers(later)).toBe(false);
});
