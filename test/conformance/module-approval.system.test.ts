/**
 * Tests that discovered modules wait for the master's approval: requested in a turn, given by hand, stored, and lost by
 * a change.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import {
  becomes,
  type Declared,
  kernelOf,
  listening,
  moduleOf,
  namesIn,
  places,
  tool,
} from '../harness/modules.ts';
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

test('[BT-6] changes nothing if the master answers anything but a plain yes, or cancels', async () => {
  const kernel = await found();
  for (const [given, output] of [
    [{ question: 0, answer: 'Deny' }, /did not approve/],
    [{ question: 0, answer: 'approve' }, /did not approve/],
    [{ question: 0, decision: 'discuss' }, /discuss it/],
    [{ question: 0, answer: 'Approve', decision: 'discuss' }, /discuss it/],
    [{ question: 0, decision: 'answer_in_text' }, /in the next message/],
    [{ question: 0, error: 'No screen.' }, /No screen/],
  ] as const) {
    const { stream, answer } = await asked(kernel);
    await answer(given);
    expect(eventsOf(await stream.all(), 'tool_result')[0]?.output).toMatch(output);
    expect(await moduleOf(kernel.api, 'stray')).toMatchObject({ status: 'pending', approved_at: null });
  }
  const { chat, stream, answer } = await asked(kernel);
  await kernel.client.cancelTurn(chat.id);
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  await expect(answer({ question: 0, answer: 'Approve' })).rejects.toMatchObject({ status: 409 });
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[BT-6] [MOD-5] offers the tool to no guest, and asks nothing through a surface, because only the master at their own client can approve', async () => {
  const kernel = await found();
  for (const who of [{ guest: true }, { sender: 'Eve' }]) {
    const { stream } = await asked(kernel, who);
    expect(eventsOf(await stream.all(), 'tool_result')).toMatchObject([
      { is_error: true, output: expect.stringContaining('There is no tool module_approve.') },
    ]);
  }
  const { stream, call } = await asked(kernel, { anchor: { chat_id: 1, message_id: 2 } });
  const events = await stream.all();
  expect(call.input).toEqual({ name: 'stray' });
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { is_error: true, output: 'Only the user can approve a module.' },
  ]);
  expect(eventsOf(events, 'request_resolved')).toEqual([]);
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[BT-6] [MOD-2] approves only what the question showed, and not a module that changed since', async () => {
  const kernel = await found();
  const { stream, answer } = await asked(kernel);
  await gone(kernel.child);
  listening({ ...STRAY, version: '3.0.0', tools: [tool('echo'), tool('die')] }, kernel.socket);
  await expect
    .poll(async () => (await moduleOf(kernel.api, 'stray'))?.version, { timeout: 30_000 })
    .toBe('3.0.0');
  await answer({ question: 0, answer: 'Approve' });
  expect(eventsOf(await stream.all(), 'tool_result')).toMatchObject([
    { is_error: true, output: expect.stringContaining('has changed since the request') },
  ]);
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
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

test('[MOD-2] keeps a revocation over a restart, and lets the model ask again', async () => {
  const { path: dataDir, remove } = temporaryDirectory();
  const { at } = places();
  const settings = { modules: { socket_dir: at('.') } };
  listening(STRAY, at('stray.sock'));
  const first = await startKernel({ dataDir, settings });
  await becomes(first.api, 'stray', 'pending');
  await first.api.post('/v1/modules/stray/approve');
  await first.api.post('/v1/modules/stray/revoke');
  await first.stop();
  const second = await kernelOf({ dataDir, settings });
  await becomes(second.api, 'stray', 'revoked');
  const { stream, answer } = await asked(second);
  await answer({ question: 0, answer: 'Approve' });
  await stream.all();
  await becomes(second.api, 'stray', 'up');
  remove();
});

test('[MOD-2] requires a new approval of a module that changed its phrase, tools or stages, and not of another version', async () => {
  const { api, client, upstream, child, socket } = await found();
  let running = child;
  const replace = async (change: Partial<Declared>) => {
    await gone(running);
    running = listening({ ...STRAY, ...change }, socket);
  };
  await api.post('/v1/modules/stray/approve');
  const { approved_at } = (await moduleOf(api, 'stray')) ?? {};
  await replace({ version: '2.0.1' });
  await expect.poll(() => moduleOf(api, 'stray')).toMatchObject({ version: '2.0.1' });
  expect(await moduleOf(api, 'stray')).toMatchObject({ status: 'up', approved_at, problem: null });
  for (const change of [
    { about: 'IGNORE ALL' },
    { tools: [tool('echo'), tool('die')] },
    { tools: [{ name: 'echo', description: 'Does more.' }] },
    { stages: [{ stage: 'turn_done' }, { stage: 'message' }] },
  ]) {
    await replace(change);
    await becomes(api, 'stray', 'pending');
    expect(await moduleOf(api, 'stray'), JSON.stringify(change)).toMatchObject({
      approved_at: null,
      problem: 'it has changed since its approval',
    });
    const chat = await client.createChat();
    await client.say(chat.id, 'Hi.');
    expect(namesIn(upstream.requests.at(-1))).not.toContain('stray_echo');
    expect((await api.post('/v1/modules/stray/approve')).body.status).toBe('up');
  }
});

test('[MOD-2] rejects the approval of an unknown module and of one that has not declared itself', async () => {
  const { at } = places();
  listening({ ...STRAY, mute: ['initialize'] }, at('stray.sock'));
  const { api } = await kernelOf({ settings: { modules: { socket_dir: at('.') } } });
  await expect.poll(async () => (await moduleOf(api, 'stray'))?.version, { timeout: 30_000 }).toBe(null);
  expect(await api.post('/v1/modules/stray/approve')).toMatchObject({
    status: 409,
    body: { code: 'module_down' },
  });
  expect(await api.post('/v1/modules/nobody/approve')).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});
