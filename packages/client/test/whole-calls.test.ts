/** Tests decisions about whole calls on the machine that runs their operations. */
import { expect, it } from 'vitest';
import { AllowedCalls } from '../src/hands/whole-calls.ts';
import { allowList, allowReads, denyAll, type Operation } from '../src/index.ts';

const operation = (changes: Partial<Operation>): Operation => ({
  op_id: 'o',
  chat_id: 'chat',
  action: 'shell',
  params: { command: 'one', workdir: '/srv' },
  ...changes,
});
const first = operation({ call: ['one', 'two', 'two'], decisions: ['allow', 'deny'] });
const other = (command: string, workdir = '/srv') => operation({ params: { command, workdir } });

it('runs each operation of an allowed call once, and only in its directory [HANDS-7] [HANDS-6]', () => {
  const allowed = new AllowedCalls();
  expect(allowed.take(other('two'))).toBe(false);
  allowed.allow(first);
  expect(allowed.take(other('one'))).toBe(false);
  expect(allowed.take(other('two', '/'))).toBe(false);
  expect(allowed.take(operation({ ...other('two'), agent: 'Scout' }))).toBe(false);
  expect([1, 2, 3].map(() => allowed.take(other('two')))).toEqual([true, true, false]);
});

it('allows nothing after the turn, or after the next call', () => {
  const allowed = new AllowedCalls();
  allowed.allow(first);
  allowed.end('chat');
  expect(allowed.take(other('two'))).toBe(false);
  allowed.allow(first);
  allowed.allow(operation({ call: ['three', 'four'], params: { command: 'three', workdir: '/srv' } }));
  expect([allowed.take(other('two')), allowed.take(other('four'))]).toEqual([false, true]);
});

it('allows a call by a rule only if the rule covers all of its operations [HANDS-7]', async () => {
  const { signal } = new AbortController();
  const listed = allowList([{ action: 'shell', command: 'one' }], denyAll);
  expect(await listed(operation({}), signal)).toBe('allow');
  expect(await listed(first, signal)).toBe('deny');
  const reads = allowReads('/srv', denyAll);
  const read = (call: string[]) => reads(operation({ action: 'read', params: { path: 'a' }, call }), signal);
  expect(await read(['a', '/srv/b'])).toBe('allow');
  expect(await read(['a', '/etc/hosts'])).toBe('deny');
});
