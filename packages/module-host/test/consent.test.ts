/** Tests requests of a module for the user's consent during a call. */
import { join } from 'node:path';
import { OperationError } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/harness/clock.ts';
import { call, hostTestbed, served, until } from './test-host.ts';

const SHOWN = { to: 'bob@friends.test', subject: 'Dinner' };

async function printer(clock?: ManualClock) {
  const { socket_dir, host: open } = await hostTestbed(clock);
  const tools = ['ask', 'ask_and_go'].map(name => ({ name, description: '', timeout_secs: 5 }));
  const module = await served({ name: 'printer', tools }, join(socket_dir, 'printer.sock'));
  const host = await open();
  await host.approve('printer');
  return { host, module };
}

/** Resolves with the call once the user is asked. */
async function asked(host: Parameters<typeof call>[0], name = 'printer_ask') {
  const running = call(host, name, { shown: SHOWN });
  await until(() => running.acts.length > 0);
  return { running, ...running.acts[0]! };
}

const answerOf = ({ output }: { output: string }) => JSON.parse(output);

test('asks the user under the name of the tool, and returns the approval to the module', async () => {
  const { host } = await printer();
  const { running, act, allow } = await asked(host);
  expect(act).toEqual({ action: 'printer_ask', shown: SHOWN });
  allow();
  expect(answerOf(await running)).toMatchObject({ result: { allowed: true, reason: '' } });
});

test('returns a denial to the module with the text for the model', async () => {
  const { host } = await printer();
  const { running, refuse } = await asked(host);
  refuse(new OperationError('Not on a Sunday.'));
  expect(answerOf(await running)).toMatchObject({ result: { allowed: false, reason: 'Not on a Sunday.' } });
});

test('pauses the timeout of a call while it asks the user, and restarts it with the answer', async () => {
  const clock = new ManualClock();
  const { host, module } = await printer(clock);
  const { running, allow, unwanted } = await asked(host);
  clock.advance(20_000);
  expect(unwanted.aborted).toBe(false);
  allow();
  expect(answerOf(await running)).toMatchObject({ result: { allowed: true } });
  const late = call(host, 'printer_ask', { shown: SHOWN });
  await until(() => late.acts.length > 0);
  // The module does not respond to the call, although its user does.
  module.connections[0]!.pause();
  late.acts[0]!.allow();
  await new Promise(setImmediate);
  clock.advance(5001);
  expect((await late).output).toBe('printer_ask failed: no answer came within 5 s');
});

test.each([
  ['the module disconnects', async ({ module }: Awaited<ReturnType<typeof printer>>) => module.close()],
  ['the turn ends', async (_: object, { running }: Awaited<ReturnType<typeof asked>>) => running.abort()],
])('withdraws the question once %s', async (_, end) => {
  const begun = await printer();
  const question = await asked(begun.host);
  question.running.catch(() => {});
  await end(begun, question);
  await until(() => question.unwanted.aborted);
});

test('withdraws the question once the call answers without waiting', async () => {
  const { host } = await printer();
  const { running, unwanted } = await asked(host, 'printer_ask_and_go');
  expect(await running).toMatchObject({ output: 'gone' });
  expect(unwanted.aborted).toBe(true);
});

test.each([
  ['no fields', { shown: {} }, 'shown: expected at least one field for the owner to read'],
  ['a reserved field', { shown: { op_id: 'x' } }, 'shown.op_id: this field name is reserved'],
  [
    'a field with spaces',
    { shown: { 'To Whom': 'x' } },
    'shown.To Whom: expected a field name in lowercase, such as subject',
  ],
  [
    'too much text',
    { shown: { to: 'x'.repeat(200_001) } },
    'shown: expected at most 200000 characters in total',
  ],
  ['the id of another call', { shown: SHOWN, call_id: 'another' }, 'call_id: no call of this id runs'],
])('rejects a question with %s', async (_, input, message) => {
  const { host } = await printer();
  const running = call(host, 'printer_ask', input);
  expect(answerOf(await running)).toMatchObject({ error: { code: -32602, message } });
  expect(running.acts).toEqual([]);
});
