/** Tests that a kill of the kernel leaves nothing open while spend caps wait for the response. */
import { expect, onTestFinished, test } from 'vitest';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startKernelProcess } from '../harness/process.ts';
import { asked, at, cheap, PLAN, settingsWith, start } from '../harness/spending.ts';
import { calls } from '../harness/story.ts';

test.each([
  ['a turn', PLAN],
  ['sub-agents', calls('lead', 'agent', { agents: [{ name: 'scout', task: 'Do it.' }] })],
])('[TURN-11] closes everything open after a kill while %s waits for the answer', async (_who, reply) => {
  const upstream = await cheap();
  onTestFinished(upstream.close);
  const options = { upstream, dataDir: directoryOfTest(), settings: settingsWith({ per_turn: { usd: 1 } }) };
  const before = await startKernelProcess(options);
  const chat = await before.client.createChat();
  upstream.next(at(1, reply));
  const { stream } = await asked(before, chat.id);
  await before.kill();
  const { client } = await start({ per_turn: { usd: 1 } }, options);
  const items = await client.items(chat.id);
  expect(items.map(({ kind }) => kind)).toEqual(['user_message', 'tool_call', 'tool_call', 'machine_note']);
  expect(items[2]).toMatchObject({ name: 'ask_questions', status: 'aborted', is_error: true });
  expect(items.filter(({ status }) => status === 'running')).toEqual([]);
  expect((await client.listRequests()).requests).toEqual([]);
  expect(await client.getTurn(chat.id, stream.turnId)).toMatchObject({
    status: 'failed',
    error: { code: 'kernel_restarted' },
  });
  expect((await client.say(chat.id, 'Still there?')).at(-1)).toMatchObject({ status: 'completed' });
  expect(upstream.requests.filter(({ rejected }) => rejected)).toEqual([]);
});
