/** Tests the in-memory record of what a user allowed on their own machine. */
import { expect, test } from 'vitest';
import { MemoryApprovals, type Operation } from '../src/index.ts';

const MAKE: Operation = { op_id: 'o', chat_id: 'c', action: 'shell', params: { command: 'make' } };

test('[HANDS-6] treats an unknown stored decision as allow once', () => {
  const record = new MemoryApprovals();
  record.give({ decision: 'allow_for_now' as 'allow_always' }, MAKE);
  expect(record.covers(MAKE)).toBe(false);
});

test('[CONSENT-9] a decision about a command does not cover it outside of the sandbox', () => {
  const record = new MemoryApprovals();
  const outside = { ...MAKE, params: { ...MAKE.params, outside_sandbox: 'It needs the daemon.' } };
  record.give({ decision: 'allow_session' }, MAKE);
  expect([record.covers(MAKE), record.covers(outside)]).toEqual([true, false]);
  record.give({ decision: 'allow_session' }, outside);
  const otherReason = { ...MAKE, params: { ...MAKE.params, outside_sandbox: 'Other words.' } };
  expect(record.covers(otherReason)).toBe(true);
});

test('[CONSENT-5] a decision about a secret place covers its path only', () => {
  const record = new MemoryApprovals();
  const read = (path: string): Operation => ({ op_id: 'o', chat_id: 'c', action: 'read', params: { path } });
  record.give({ decision: 'allow_session' }, read('a.txt'));
  expect([record.covers(read('b.txt')), record.covers(read('.env'))]).toEqual([true, false]);
  record.give({ decision: 'allow_session' }, read('.env'));
  expect([record.covers(read('.env')), record.covers(read('~/.ssh/config'))]).toEqual([true, false]);
});
