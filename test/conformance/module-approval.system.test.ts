/**
 * Tests that discovered modules wait for the master's approval: requested in a turn, given by hand, stored, and lost by
 * a change.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { becomes, type Declared, listening, moduleOf, namesIn, places, tool } from '../harness/modules.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says } from '../harness/story.ts';

const STRAY: Declared = {
  name: 'stray',
  version: '2.0.0',
  about: 'wanders about',
  tools: [tool('echo')],
  stages: [{ stage: 'turn_done' }],
};
const INPUT = {
  name: 'stray',
  questions: [
    {
      question:
        'Approve the module stray, version 2.0.0 (wanders about)? It adds the tools stray_echo and runs in turns at the stages turn_done.',
      header: 'Module',
      options: [
        { label: 'Approve', description: expect.any(String) },
        { label: 'Deny', description: expect.any(String) },
      ],
    },
  ],
  decisions: { discuss: expect.any(String), answer_in_text: expect.any(String) },
};

/** A kernel that has discovered the module stray, which waits for approval. */
async function found(declared: Declared = STRAY) {
  const { at } = places();
  const child = listening(declared, at('stray.sock'));
  const kernel = await kernelOf({ settings: { modules: { socket_dir: at('.') } } });
  await becomes(kernel.api, 'stray', 'pending');
  return { ...kernel, child, socket: at('stray.sock') };
}

/** A turn whose model requests the approval, up to the request to the user. */
async function asked({ client, upstream }: TestKernel, body: object = {}) {
  const chat = await client.createChat();
  upstream.next(calls('m', 'module_approve', { name: 'stray' }));
  const stream = await client.begin(chat.id, { text: 'Go.', questions: true, ...body });
  const call = await stream.until('tool_call');
  const answer = (given: object) => client.answerRequest(chat.id, { id: 'm', ...given });
  return { chat, stream, call, answer };
}

async function gone(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('[BT-6] shows modules and the reasons why they are down in module_list', async () => {
  const { client, upstream } = await found();
  const chat = await client.createChat();
  upstream.next(calls('l', 'module_list', {}), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    {
      is_error: false,
      output:
        '== stray\nstatus: pending\nversion: 2.0.0\nabout: wanders about\ntools: stray_echo\nstages: turn_done\nproblem: it is pending approval',
    },
  ]);
  expect(namesIn(upstream.requests[0])).not.toContain('stray_echo');
});

test('[BT-6] [MOD-2] [EV-14] approves a module when the master answers yes, and then offers its tools', async () => {
  const kernel = await found();
  const { chat, stream, call, answer } = await asked(kernel);
  expect(call).toMatchObject({ id: 'm', name: 'module_approve', input: INPUT });
  expect((await kernel.client.listRequests()).requests).toMatchObject([
    { id: 'm', kind: 'question', question: 0, chat_id: chat.id },
  ]);
  await answer({ question: 0, answer: 'Approve' });
  const events = await stream.all();
  expect(eventsOf(events, 'request_resolved')).toMatchObject([
    { id: 'm', kind: 'question', reason: 'answered' },
  ]);
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { is_error: false, output: 'The module stray is approved. Its tools: stray_echo.' },
  ]);
  expect(await moduleOf(kernel.api, 'stray')).toMatchObject({
    status: 'up',
    approved_at: expect.stringMatching(/Z$/),
    problem: null,
  });
  const told = kernel.upstream.requests.at(-1)?.body.messages.at(-2);
  // Without the question, which is only for clients.
  expect(told.tool_calls[0].function.arguments).toBe('{"name":"stray"}');
  kernel.upstream.next(calls('e', 'stray_echo', {}), says('Done.'));
  const next = await kernel.client.say(chat.id, 'Now.');
  expect(eventsOf(next, 'tool_result')).toMatchObject([{ name: 'stray_echo', is_error: false }]);
});

test('[MOD-2] keeps a decision over a restart, also while the module is down', async () => {
  const { path: dataDir, remove } = temporaryDirectory();
  const { at } = places();
  const settings = { modules: { socket_dir: at('.') } };
  const child = listening(STRAY, at('stray.sock'));
  const first = await startKernel({ dataDir, settings });
  await becomes(first.api, 'stray', 'pending');
  const approved = (await first.api.post('/v1/modules/stray/approve')).body;
  await first.stop();
  const second = await startKernel({ dataDir, settings });
  await becomes(second.api, 'stray', 'up');
  expect(await moduleOf(second.api, 'stray')).toEqual(approved);
  await second.stop();
  await gone(child);
  const third = await kernelOf({ dataDir, settings });
  expect(await moduleOf(third.api, 'stray')).toMatchObject({
    status: 'down',
    version: '2.0.0',
    tools: ['stray_echo'],
    approved_at: approved.approved_at,
  });
  const chat = await third.client.createChat();
  third.upstream.next(calls('c', 'stray_echo', {}), says('Done.'));
  expect(eventsOf(await third.client.say(chat.id, 'Go.'), 'tool_result')).toMatchObject([
    { is_error: true, output: expect.stringContaining('The module stray is not running') },
  ]);
  expect((await third.api.post('/v1/modules/stray/revoke')).body.status).toBe('revoked');
  remove();
});
