/** Tests the test client with hands on commands that really run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './client.ts';
import { temporaryDirectory } from './directory.ts';
import { type PlayedKernel, playKernel } from './hands/played-kernel.ts';
import { HandsClient, type HandsOptions } from './hands.ts';
import { startKernel, type TestKernel } from './kernel.ts';

const CHAT = '01890000-0000-7000-8000-000000000000';
const DECISIONS = ['allow', 'allow_once_a_week', 'deny'];

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
  // The server below is checked against the document of this kernel.
  await kernel.api.document();
});
afterAll(() => kernel.stop());

let directory: ReturnType<typeof temporaryDirectory>;
let wire: PlayedKernel;
beforeEach(async () => {
  directory = temporaryDirectory();
  wire = await playKernel();
});
afterEach(() => {
  wire.close();
  directory.remove();
});

const handsOf = (options: Partial<HandsOptions> = {}) =>
  new HandsClient(new ApiClient(wire.url), { directory: directory.path, ...options });

const op = (id: string, fields: object) => ({ type: 'client_op', id, op_id: id, ...fields });

test('sends no result before earlier progress', async () => {
  const following = await handsOf().watch(CHAT);
  wire.send(op('s', { action: 'shell', command: 'echo on' }));
  wire.end();
  await following.over;
  expect(wire.posted).toEqual([
    { id: 's', output: 'on\n' },
    { id: 's', result: { output: 'on\n', exit_code: 0 } },
  ]);
});

test('shows the output of a command while it runs', async () => {
  const command = 'echo one; while [ ! -e go ]; do sleep 0.01; done; echo two';
  const following = await handsOf().watch(CHAT);
  wire.send(op('s', { action: 'shell', command, decisions: DECISIONS }));
  await wire.until(1);
  expect(wire.posted).toEqual([{ id: 's', output: 'one\n' }]);
  writeFileSync(join(directory.path, 'go'), '');
  wire.end();
  await following.over;
  const result = { output: 'one\ntwo\n', exit_code: 0 };
  expect(wire.posted.at(-1)).toEqual({ id: 's', result, decision: 'allow' });
  // The last output may come too soon after the first to be sent as progress.
  for (const shown of wire.posted.slice(1, -1)) expect(shown).toEqual({ id: 's', output: 'one\ntwo\n' });
});

test('kills an operation, or closes its dialog, without an answer if another client resolved it', async () => {
  const resolved = (id: string) => ({ type: 'request_resolved', id, kind: 'op', reason: 'cancelled' });
  const dialog = new Promise<'allow'>(() => {});
  const hands = handsOf({ decide: ({ op_id }) => (op_id === 'open' ? dialog : 'allow') });
  const following = await hands.watch(CHAT);
  wire.send(
    op('s', { action: 'shell', command: 'echo on; sleep 60' }),
    op('open', { action: 'write', path: 'open', content: 'x', decisions: DECISIONS }),
  );
  await wire.until(1);
  wire.send(resolved('s'), resolved('open'));
  wire.end();
  await following.over;
  expect(wire.posted).toEqual([{ id: 's', output: 'on\n' }]);
  expect(hands.done.map(({ op_id, status }) => [op_id, status])).toEqual([['s', undefined]]);
});

test('answers nothing after the terminal is closed', async () => {
  const following = await handsOf().watch(CHAT);
  wire.send(op('s', { action: 'shell', command: 'echo on; sleep 60' }));
  await wire.until(1);
  await following.leave();
  expect(wire.posted).toEqual([{ id: 's', output: 'on\n' }]);
});
