/** Tests stages of modules in real turns: what they replace, block, add and observe. */
import type { Turn } from '@chat-kernel/protocol';
import { expect, test } from 'vitest';
import { foldItems } from '../harness/items.ts';
import type { KernelOptions } from '../harness/kernel.ts';
import { becomes, type Declared, places, record, started, tool } from '../harness/modules.ts';
import { PNG } from '../harness/pictures.ts';
import { KINDS } from '../harness/settings.ts';
import { kernelOf } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, stuck, textOf } from '../harness/story.ts';

/** A kernel with these modules, started in this order, and what each of them has received. */
async function guarded(modules: Record<string, Omit<Declared, 'name'>>, options: KernelOptions = {}) {
  const { at } = places();
  const heard = Object.fromEntries(Object.keys(modules).map(name => [name, record(at(name))]));
  const servers = Object.fromEntries(
    Object.entries(modules).map(([name, declared]) => [
      name,
      started({ name, record: heard[name]?.path as string, ...declared }),
    ]),
  );
  const kernel = await kernelOf({ ...options, settings: { ...options.settings, modules: { servers } } });
  // The kernel waits three seconds for its modules when it starts, which is too short for some machines.
  const coming = Object.entries(modules).filter(([, { mute, crash }]) => !mute && crash === undefined);
  await Promise.all(coming.map(([name]) => becomes(kernel.api, name, 'up')));
  const staged = (name: string) => heard[name]?.heard('stage').map(({ params }) => params) ?? [];
  return { ...kernel, staged };
}

const replaces = (payload: object) => ({ action: 'replace', payload });
const MASTER = { sender: '', master: true, trusted: true, privileged: true, client_ops: false };

test('[MOD-7] stores and sends to the model what the stage message replaced', async () => {
  const { client, upstream, staged } = await guarded({
    first: {
      stages: [{ stage: 'message' }],
      answers: { message: replaces({ text: 'The number is ****.' }) },
    },
    second: { stages: [{ stage: 'message' }] },
  });
  const chat = await client.createChat();
  await client.say(chat.id, 'The number is 1234.', {
    images: [{ media_type: 'image/png', data: PNG.toString('base64') }],
  });
  const payload = { sender: '', attachments: [{ kind: 'image' }] };
  const context = { chat_id: chat.id, ...MASTER };
  expect(staged('first')).toEqual([
    { stage: 'message', payload: { text: 'The number is 1234.', ...payload }, context },
  ]);
  // Each module gets the output of the previous one.
  expect(staged('second')).toEqual([
    { stage: 'message', payload: { text: 'The number is ****.', ...payload }, context },
  ]);
  const { messages } = await client.listMessages(chat.id);
  expect(messages[0]?.content[0]).toMatchObject({ type: 'text', text: 'The number is ****.' });
  const all = JSON.stringify([
    messages,
    await client.items(chat.id),
    upstream.requests.map(({ body }) => body),
  ]);
  expect(all).not.toContain('1234');
  expect(JSON.stringify(upstream.requests[0]?.body.messages)).toContain('The number is ****.');
});

test('[MOD-7] [EV-10] stores a blocked message, and fails its turn with the reason without a model request', async () => {
  const { client, upstream, staged } = await guarded({
    guard: {
      stages: [{ stage: 'message' }, { stage: 'turn_done' }],
      answers: { message: { action: 'block', reason: 'No numbers here.' } },
    },
  });
  const chat = await client.createChat();
  const stream = await client.begin(chat.id, { text: 'The number is 1234.', sender: 'Eve' });
  const events = await stream.all();
  const error = {
    code: 'blocked_by_module',
    message: 'The module guard blocked this turn: No numbers here.',
    retryable: false,
  };
  expect(eventsOf(events, 'error')).toEqual([expect.objectContaining(error)]);
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'failed', stop_reason: 'error' });
  expect(upstream.requests).toEqual([]);
  const items = await client.items(chat.id);
  expect(items).toMatchObject([
    { kind: 'user_message', text: 'The number is 1234.', sender: 'Eve' },
    { kind: 'machine_note', note: 'turn_failed', text: expect.stringContaining('No numbers here.') },
  ]);
  const turn: Turn = await client.getTurn(chat.id, stream.turnId);
  expect(turn).toMatchObject({ status: 'failed', error });
  expect(staged('guard')[0]).toMatchObject({ context: { sender: 'Eve', master: false } });
  await expect
    .poll(() => staged('guard')[1])
    .toMatchObject({
      stage: 'turn_done',
      payload: { turn_id: stream.turnId, status: 'failed', text: '' },
    });
  // The kernel asks about the next one again.
  await client.say(chat.id, 'Hi.');
  expect(staged('guard').filter(({ stage }: { stage: string }) => stage === 'message')).toHaveLength(2);
});

test.each(
  KINDS,
)('[MOD-7] [HIST-3] %s: blocks a message that a module empties, and continues the chat', async kind => {
  const { client, upstream } = await guarded(
    { guard: { stages: [{ stage: 'message' }], answers: { message: replaces({ text: ' ' }) } } },
    { kind },
  );
  const chat = await client.createChat();
  const events = await client.say(chat.id, 'The number is 1234.');
  expect(eventsOf(events, 'error')).toMatchObject([
    { code: 'blocked_by_module', message: expect.stringContaining('removed all content of the message') },
  ]);
  const images = [{ media_type: 'image/png' as const, data: PNG.toString('base64') }];
  const next = await client.say(chat.id, 'The number is 1234.', { images });
  expect(next.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(upstream.requests.map(({ rejected }) => rejected)).toEqual([undefined]);
  const { messages } = await client.listMessages(chat.id);
  expect(messages.at(-2)?.content.map(({ type }) => type)).toEqual(['image']);
});

test('[MOD-7] [FILE-4] passes files as attachments by their names', async () => {
  const { api, client, staged } = await guarded({ guard: { stages: [{ stage: 'message' }] } });
  const uploaded = await api.raw('/v1/files', {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-file-name': 'notes.txt' },
    body: 'Words.',
  });
  const chat = await client.createChat();
  await client.say(chat.id, 'Read.', { files: [{ id: uploaded.body.id }] });
  expect(staged('guard')).toMatchObject([
    { payload: { attachments: [{ kind: 'file', name: 'notes.txt' }] } },
  ]);
});

test('[MOD-7] [MOD-5] passes the speaker of a turn that is canceled in the queue to turn_done', async () => {
  const { api, client, upstream, staged } = await guarded({ clerk: { stages: [{ stage: 'turn_done' }] } });
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'First.' }));
  const first = await client.begin(chat.id, { text: 'Go.' });
  await first.until('text_delta');
  const second = await client.begin(chat.id, { text: 'And?', sender: 'Eve' });
  await api.post(`/v1/chats/${chat.id}/cancel?queued=true`, { queued: true });
  await Promise.all([first.all(), second.all()]);
  await expect.poll(() => staged('clerk').length).toBe(2);
  const told = staged('clerk').find(
    ({ payload }: { payload: { turn_id: string } }) => payload.turn_id === second.turnId,
  );
  expect(told).toMatchObject({
    payload: { status: 'cancelled', text: '' },
    context: { sender: 'Eve', master: false },
  });
});

test('[MOD-7] [TURN-12] calls no module again on a repeated start', async () => {
  const { api, client, staged } = await guarded({ guard: { stages: [{ stage: 'message' }] } });
  const chat = await client.createChat();
  for (let time = 0; time < 2; time++) {
    const stream = await api.turn(chat.id, { text: 'Hi.' }, { 'idempotency-key': 'k' });
    await stream.all();
  }
  expect(staged('guard')).toHaveLength(1);
});

test('[MOD-7] puts fragments of the stage prompt into the system text in the order of the modules', async () => {
  const { client, upstream, staged } = await guarded({
    weather: {
      stages: [{ stage: 'prompt' }],
      answers: { prompt: replaces({ fragments: ['It rains.', 'A lot.'] }) },
    },
    clock: { stages: [{ stage: 'prompt' }], answers: { prompt: replaces({ fragments: ['It is late.'] }) } },
  });
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  const { messages } = upstream.requests[0]?.body ?? {};
  expect(messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining('It rains.\n\nA lot.\n\nIt is late.'),
  });
  // A module sees no fragment of another one.
  expect(staged('clock')).toMatchObject([
    { stage: 'prompt', payload: { fragments: [] }, context: { chat_id: chat.id } },
  ]);
  expect(JSON.stringify(await client.items(chat.id))).not.toContain('It rains.');
});

test('[MOD-7] tool_call replaces the input of any call, and tool_result its output', async () => {
  const { client, upstream, staged } = await guarded({
    guard: {
      tools: [tool('echo')],
      stages: [{ stage: 'tool_call' }, { stage: 'tool_result' }],
      answers: {
        tool_call: replaces({ input: { word: 'other' } }),
        tool_result: replaces({ output: 'Nothing to see.', is_error: false }),
      },
    },
  });
  const chat = await client.createChat();
  upstream.next(calls('c', 'guard_echo', { word: 'secret' }), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { id: 'c', output: 'Nothing to see.', is_error: false },
  ]);
  expect(upstream.requests[1]?.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: 'Nothing to see.',
  });
  const [asked, answered] = staged('guard');
  expect(asked).toEqual({
    stage: 'tool_call',
    payload: { name: 'guard_echo', input: { word: 'secret' } },
    context: { chat_id: chat.id, ...MASTER },
  });
  const { output, ...rest } = answered.payload;
  expect(rest).toEqual({ name: 'guard_echo', is_error: false });
  expect(JSON.parse(output).input).toEqual({ word: 'other' });
  const [call] = (await client.items(chat.id)).filter(({ kind }) => kind === 'tool_call');
  expect(call).toMatchObject({ output: 'Nothing to see.', status: 'completed' });
});

test('[MOD-7] [BT-7] returns a tool error for a blocked call, also of a built-in tool, and does not run it', async () => {
  const { client, upstream } = await guarded({
    guard: {
      stages: [{ stage: 'tool_call' }],
      answers: { tool_call: { action: 'block', reason: 'Not today.' } },
    },
  });
  const chat = await client.createChat();
  upstream.next(calls('p', 'plan', { tasks: [{ text: 'Rest', status: 'pending' }] }), says('Well.'));
  const events = await client.say(chat.id, 'Go.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { is_error: true, output: 'The module guard blocked plan: Not today.' },
  ]);
  expect(eventsOf(events, 'plan')).toEqual([]);
  expect(textOf(events)).toBe('Well.');
  const text = '[blocked] A module stopped a call of this turn. The module guard blocked plan: Not today.';
  const note = { kind: 'machine_note', note: 'blocked', text };
  expect(foldItems(events)).toContainEqual(expect.objectContaining(note));
  expect(await client.items(chat.id)).toContainEqual(expect.objectContaining(note));
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('[blocked]');
});

test('[MOD-7] [BT-5] applies tool_call to a question before it is shown, and tool_result to the answer', async () => {
  const asked = (question: string) => ({ questions: [{ question, options: [{ label: 'One' }] }] });
  const { client, upstream, staged } = await guarded({
    guard: {
      stages: [{ stage: 'tool_call' }, { stage: 'tool_result' }],
      answers: {
        tool_call: replaces({ input: asked('Which ****?') }),
        tool_result: replaces({ output: '****', is_error: false }),
      },
    },
  });
  const chat = await client.createChat();
  upstream.next(calls('q', 'ask_questions', asked('Which number?')), says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.', questions: true });
  const call = await stream.until('tool_call');
  expect(call.input).toMatchObject({ ...asked('Which ****?'), decisions: expect.anything() });
  await client.answerRequest(chat.id, { id: 'q', question: 0, answer: '1234' });
  expect(eventsOf(await stream.all(), 'tool_result')).toMatchObject([{ id: 'q', output: '****' }]);
  expect(staged('guard')).toMatchObject([
    { stage: 'tool_call', payload: { name: 'ask_questions', input: asked('Which number?') } },
    { stage: 'tool_result', payload: { name: 'ask_questions', output: expect.stringContaining('1234') } },
  ]);
});

test('[MOD-7] [BT-5] [BT-6] shows no question that a module blocks', async () => {
  const { api, client, upstream, staged } = await guarded({
    guard: {
      stages: [{ stage: 'tool_call' }, { stage: 'tool_result' }],
      answers: { tool_call: { action: 'block', reason: 'Nobody is asked here.' } },
    },
  });
  const chat = await client.createChat();
  const questions = [{ question: 'Which number?', options: [{ label: 'One' }] }];
  upstream.next(
    {
      steps: [
        { call: { id: 'q', name: 'ask_questions', input: { questions } } },
        { call: { id: 'm', name: 'module_approve', input: { name: 'guard' } } },
      ],
    },
    says('Well.'),
  );
  const watching = await api.events();
  const events = await client.say(chat.id, 'Go.', { questions: true });
  const output = (name: string) => `The module guard blocked ${name}: Nobody is asked here.`;
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { id: 'q', output: output('ask_questions'), is_error: true },
    { id: 'm', output: output('module_approve'), is_error: true },
  ]);
  const told = await watching.until('turn_ended');
  expect(told).toMatchObject({ status: 'completed' });
  expect(watching.events.map(({ type }) => type)).not.toContain('request_opened');
  watching.hangUp();
  expect(staged('guard')).toHaveLength(2);
  const notes = (await client.items(chat.id)).filter(({ kind }) => kind === 'machine_note');
  expect(notes).toMatchObject([{ note: 'blocked' }, { note: 'blocked' }]);
});

test('[MOD-7] [BT-10] applies the stages to calls of sub-agents', async () => {
  const { client, upstream, staged } = await guarded({
    guard: { tools: [tool('echo')], stages: [{ stage: 'tool_call' }, { stage: 'tool_result' }] },
  });
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'agent', { agents: [{ name: 'scout', task: 'Go.' }] }),
    calls('c', 'guard_echo', { word: 'hi' }),
    says('Found.'),
    says('Done.'),
  );
  await client.say(chat.id, 'Go.');
  expect(
    staged('guard').map(({ stage, payload }: { stage: string; payload: { name: string } }) => [
      stage,
      payload.name,
    ]),
  ).toEqual([
    ['tool_call', 'agent'],
    ['tool_call', 'guard_echo'],
    ['tool_result', 'guard_echo'],
    ['tool_result', 'agent'],
  ]);
});

test('[MOD-7] turn_done passes the answer to modules without waiting for them', async () => {
  const { client, upstream, staged } = await guarded({
    hung: { stages: [{ stage: 'turn_done' }], answers: { turn_done: 'hang' } },
    clerk: { stages: [{ stage: 'turn_done' }] },
  });
  const chat = await client.createChat();
  upstream.next({ steps: [{ text: 'First. ' }, { call: { name: 'nothing' } }] }, says('Then this.'));
  const began = performance.now();
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.all();
  await client.say(chat.id, 'And?');
  expect(performance.now() - began).toBeLessThan(30_000);
  await expect.poll(() => staged('clerk').length).toBe(2);
  expect(staged('clerk')[0]).toEqual({
    stage: 'turn_done',
    payload: { turn_id: stream.turnId, status: 'completed', text: expect.stringContaining('Then this.') },
    context: { chat_id: chat.id, ...MASTER },
  });
});

test.each([
  ['pass', 'tool_call'],
  ['block', 'tool_result'],
  ['block', 'prompt'],
] as const)('[MOD-7] times out a module that hangs, with on_error %s at the stage %s', async (on_error, stage) => {
  const { client, upstream } = await guarded({
    guard: {
      tools: [tool('echo')],
      stages: [{ stage, on_error, timeout_secs: 0.2 }],
      answers: { [stage]: 'hang' },
    },
  });
  const chat = await client.createChat();
  upstream.next(calls('c', 'guard_echo', { word: 'hi' }), says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  const [done] = eventsOf(events, 'done');
  const [result] = eventsOf(events, 'tool_result');
  if (on_error === 'pass') {
    expect([done?.status, result?.is_error]).toEqual(['completed', false]);
  } else if (stage === 'prompt') {
    expect([done?.status, upstream.requests.length]).toEqual(['failed', 0]);
    expect(eventsOf(events, 'error')).toMatchObject([
      { code: 'blocked_by_module', message: expect.stringContaining('guard') },
    ]);
  } else {
    expect([done?.status, result?.is_error]).toEqual(['completed', true]);
    expect(result?.output).toContain('The module guard blocked');
  }
});

test.each(
  KINDS,
)('[MOD-1] [IMG-2] [MARK-3] %s: shows an image of a module to the model, and its marker to people', async kind => {
  const { api, client, upstream } = await guarded({ parrot: { tools: [tool('photo')] } }, { kind });
  const chat = await client.createChat();
  upstream.next(calls('c', 'parrot_photo', {}), says('Red.'));
  const events = await client.say(chat.id, 'Go.');
  const [result] = eventsOf(events, 'tool_result');
  const [, id] =
    /^One red pixel\.\n\[image ([0-9a-f-]{36})\] \S*\/images\/\1$/.exec(result?.output ?? '') ?? [];
  expect(id).toBeDefined();
  const bytes = await api.get(`/images/${id}`);
  expect(bytes.headers['content-type']).toBe('image/png');
  expect(PNG.equals(bytes.body)).toBe(true);
  // The upstream has checked that the position is valid in this provider API.
  expect(upstream.requests.map(({ rejected }) => rejected)).toEqual([undefined, undefined]);
  expect(JSON.stringify(upstream.requests[1]?.body)).toContain(PNG.toString('base64'));
  const items = await client.items(chat.id);
  expect(items.map(({ kind }) => kind)).toEqual(['user_message', 'tool_call', 'agent_message']);
  expect(items[1]).toMatchObject({ output: result?.output, status: 'completed' });
  const { status, body } = await api.get(`/v1/chats/${chat.id}/messages`);
  expect(status).toBe(200);
  expect(body.messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
  // And in all later turns.
  await client.say(chat.id, 'Again.');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(PNG.toString('base64'));
});
