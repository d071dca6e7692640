/** Modules that are found wait for the master's yes: asked for in a turn, given by hand, kept, and lost by a change. */
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
        'Approve the module stray, version 2.0.0 (wanders about)? It adds the tools stray_echo and takes part in turns at the stages turn_done.',
      header: 'Module',
      options: [
        { label: 'Approve', description: expect.any(String) },
        { label: 'Do not approve', description: expect.any(String) },
      ],
    },
  ],
  decisions: { discuss: expect.any(String), answer_in_text: expect.any(String) },
};

/** A kernel that has found the module stray, which waits. */
async function found(declared: Declared = STRAY) {
  const { at } = places();
  const child = listening(declared, at('stray.sock'));
  const kernel = await kernelOf({ settings: { modules: { socket_dir: at('.') } } });
  await becomes(kernel.api, 'stray', 'pending');
  return { ...kernel, child, socket: at('stray.sock') };
}

/** A turn whose model asks for the approval, up to the moment it is asked. */
async function asked({ client, upstream }: TestKernel, body: object = {}) {
  const chat = await client.createChat();
  upstream.next(calls('m', 'module_approve', { name: 'stray' }), says('Well.'));
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

test('[BT-6] module_list tells the model what there is, and why it is not up', async () => {
  const { client, upstream } = await found();
  const chat = await client.createChat();
  upstream.next(calls('l', 'module_list', {}), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    {
      is_error: false,
      output:
        '== stray\nstatus: pending\nversion: 2.0.0\nabout: wanders about\ntools: stray_echo\nstages: turn_done\nproblem: it waits to be approved',
    },
  ]);
  expect(namesIn(upstream.requests[0])).not.toContain('stray_echo');
});

test('[BT-6] [MOD-2] [EV-14] the master says yes to a question, and the tools are there from then on', async () => {
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
  kernel.upstream.next(calls('e', 'stray_echo', {}), says('Done.'));
  const next = await kernel.client.say(chat.id, 'Now.');
  expect(eventsOf(next, 'tool_result')).toMatchObject([{ name: 'stray_echo', is_error: false }]);
});

test.each([
  ['no', { question: 0, answer: 'Do not approve' }, /did not approve/],
  ['words that are no yes', { question: 0, answer: 'approve' }, /did not approve/],
  ['to talk it over', { question: 0, decision: 'discuss' }, /talk it over/],
  [
    'a yes with a decision beside it',
    { question: 0, answer: 'Approve', decision: 'discuss' },
    /talk it over/,
  ],
  ['in their own words', { question: 0, decision: 'answer_in_text' }, /in the next message/],
  ['that it cannot be shown', { question: 0, error: 'No screen.' }, /No screen/],
])('[BT-6] the master says %s: it stays as it is', async (_, given, output) => {
  const kernel = await found();
  const { stream, answer } = await asked(kernel);
  await answer(given);
  expect(eventsOf(await stream.all(), 'tool_result')[0]?.output).toMatch(output);
  expect(await moduleOf(kernel.api, 'stray')).toMatchObject({ status: 'pending', approved_at: null });
});

test('[BT-6] a guest has no such tool', async () => {
  const kernel = await found();
  for (const who of [{ guest: true }, { sender: 'Eve' }]) {
    const { stream } = await asked(kernel, who);
    expect(eventsOf(await stream.all(), 'tool_result')).toMatchObject([
      { is_error: true, output: expect.stringContaining('There is no tool module_approve.') },
    ]);
  }
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[BT-6] [MOD-5] through a surface nobody is asked: only the master at a client of their own can say yes', async () => {
  const kernel = await found();
  const { stream, call } = await asked(kernel, { anchor: { chat_id: 1, message_id: 2 } });
  const events = await stream.all();
  expect(call.input).toEqual({ name: 'stray' });
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { is_error: true, output: 'Only the master can approve a module.' },
  ]);
  expect(eventsOf(events, 'request_resolved')).toEqual([]);
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[BT-6] a cancel while it is asked approves nothing', async () => {
  const kernel = await found();
  const { chat, stream, answer } = await asked(kernel);
  await kernel.client.cancelTurn(chat.id);
  expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  await expect(answer({ question: 0, answer: 'Approve' })).rejects.toMatchObject({ status: 409 });
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[BT-6] [MOD-2] a yes is to what was shown: a module that changes meanwhile is not approved by it', async () => {
  const kernel = await found();
  const { stream, answer } = await asked(kernel);
  await gone(kernel.child);
  listening({ ...STRAY, version: '3.0.0', tools: [tool('echo'), tool('die')] }, kernel.socket);
  await expect
    .poll(async () => (await moduleOf(kernel.api, 'stray'))?.version, { timeout: 30_000 })
    .toBe('3.0.0');
  await answer({ question: 0, answer: 'Approve' });
  expect(eventsOf(await stream.all(), 'tool_result')).toMatchObject([
    { is_error: true, output: expect.stringContaining('has changed meanwhile') },
  ]);
  expect((await moduleOf(kernel.api, 'stray'))?.status).toBe('pending');
});

test('[MOD-2] a decision is kept over a restart, also while the module is down', async () => {
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

test('[MOD-2] a revocation is kept over a restart, and the tool can be asked for again', async () => {
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

test.each<[string, Partial<Declared>]>([
  ['another version', { version: '2.0.1' }],
  ['another tool', { tools: [tool('echo'), tool('die')] }],
  ['another description of a tool', { tools: [{ name: 'echo', description: 'Does more.' }] }],
  ['another stage', { stages: [{ stage: 'turn_done' }, { stage: 'message' }] }],
])('[MOD-2] %s asks again', async (_, change) => {
  const { api, client, upstream, child, socket } = await found();
  await api.post('/v1/modules/stray/approve');
  await gone(child);
  listening({ ...STRAY, ...change }, socket);
  await becomes(api, 'stray', 'pending');
  expect(await moduleOf(api, 'stray')).toMatchObject({
    approved_at: null,
    problem: 'it has changed since it was approved',
  });
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  expect(namesIn(upstream.requests.at(-1))).not.toContain('stray_echo');
  expect((await api.post('/v1/modules/stray/approve')).body.status).toBe('up');
});

test('[MOD-2] what is not there, and what has said nothing yet, cannot be approved', async () => {
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
