/** Tests the test client with hands on commands that really run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { besidePlayedKernel, CHAT, DECISIONS, op } from './hands/beside-played-kernel.ts';

const { at, handsOf } = besidePlayedKernel();

test('sends no result before earlier progress', async () => {
  const following = await handsOf().watch(CHAT);
  at.wire.send(op('s', { action: 'shell', command: 'echo on' }));
  at.wire.end();
  await following.over;
  expect(at.wire.posted).toEqual([
    { id: 's', output: 'on\n' },
    { id: 's', result: { output: 'on\n', exit_code: 0 } },
  ]);
});

test('shows the output of a command while it runs', async () => {
  const command = 'echo one; while [ ! -e go ]; do sleep 0.01; done; echo two';
  const following = await handsOf().watch(CHAT);
  at.wire.send(op('s', { action: 'shell', command, decisions: DECISIONS }));
  await at.wire.until(1);
  expect(at.wire.posted).toEqual([{ id: 's', output: 'one\n' }]);
  writeFileSync(join(at.directory, 'go'), '');
  at.wire.end();
  await following.over;
  const result = { output: 'one\ntwo\n', exit_code: 0 };
  expect(at.wire.posted.at(-1)).toEqual({ id: 's', result, decision: 'allow' });
  // The last output may come too soon after the first to be sent as progress.
  for (const shown of at.wire.posted.slice(1, -1)) expect(shown).toEqual({ id: 's', output: 'one\ntwo\n' });
});

test('kills an operation, or closes its dialog, without an answer if another client resolved it', async () => {
  const resolved = (id: string) => ({ type: 'request_resolved', id, kind: 'op', reason: 'cancelled' });
  const dialog = new Promise<'allow'>(() => {});
  const hands = handsOf({ decide: ({ op_id }) => (op_id === 'open' ? dialog : 'allow') });
  const following = await hands.watch(CHAT);
  at.wire.send(
    op('s', { action: 'shell', command: 'echo on; sleep 60' }),
    op('open', { action: 'write', path: 'open', content: 'x', decisions: DECISIONS }),
  );
  await at.wire.until(1);
  at.wire.send(resolved('s'), resolved('open'));
  at.wire.end();
  await following.over;
  expect(at.wire.posted).toEqual([{ id: 's', output: 'on\n' }]);
  expect(hands.done.map(({ op_id, status }) => [op_id, status])).toEqual([['s', undefined]]);
});

test('answers nothing after the terminal is closed', async () => {
  const following = await handsOf().watch(CHAT);
  at.wire.send(op('s', { action: 'shell', command: 'echo on; sleep 60' }));
  await at.wire.until(1);
  await following.leave();
  expect(at.wire.posted).toEqual([{ id: 's', output: 'on\n' }]);
});
