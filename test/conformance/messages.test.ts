/** Tests messages, the source of all history: read back and rewound. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel();

test('[MSG-1] stores a turn as messages of blocks without internal data of the kernel', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const task = { title: 'Look', status: 'in_progress' };
  upstream.next(
    {
      steps: [
        { thinking: 'Hm.', signature: 'sig' },
        { text: 'I will.' },
        { call: { id: 'call_1', name: 'plan', input: { tasks: [task] } } },
      ],
    },
    says('Done.'),
  );
  const stream = await client.begin(chat.id, { text: 'Do it.', context: 'It is Monday.' });
  const done = (await stream.all()).at(-1);
  const body = await client.listMessages(chat.id);
  const common = {
    id: expect.any(String),
    chat_id: chat.id,
    turn_id: stream.turnId,
    created_at: expect.any(String),
    status: 'completed',
    master: true,
  };
  const usage = {
    prompt_tokens: expect.any(Number),
    completion_tokens: expect.any(Number),
    reasoning_tokens: expect.any(Number),
    cached_tokens: 0,
    cost_usd: expect.any(Number),
  };
  const assistant = { ...common, role: 'assistant', model: 'scripted/plain', usage };
  expect(body.messages).toEqual([
    {
      ...common,
      id: stream.messageId,
      role: 'user',
      content: [
        { type: 'context', text: 'It is Monday.' },
        { type: 'text', text: 'Do it.' },
      ],
    },
    {
      ...assistant,
      content: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'text', text: 'I will.' },
        { type: 'tool_use', id: 'call_1', name: 'plan', input: { tasks: [task] } },
      ],
    },
    {
      ...common,
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          output: 'The plan is shown: 1 of 1 tasks left.',
          is_error: false,
        },
      ],
    },
    { ...assistant, content: [{ type: 'text', text: 'Done.' }] },
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: unparsed messages
  const own = body.messages.slice(1).map((message: any) => message.id);
  expect(done).toMatchObject({ type: 'done', message_ids: own });
});

test('[MSG-1] stores context that the kernel adds for the model under the sender kernel, not as the master', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  await client.setNotebook(chat.id, { text: 'Tea, no milk.' });
  const stream = await client.begin(chat.id, { text: 'Hi.' });
  await stream.all();
  const { messages } = await client.listMessages(chat.id);
  const told = messages.filter(({ content }) => content.every(({ type }) => type === 'context'));
  expect(told).toMatchObject([
    { role: 'user', sender: 'kernel', kernel: true, master: false, turn_id: stream.turnId },
  ]);
  expect(messages.filter(message => 'kernel' in message)).toEqual(told);
  expect(JSON.stringify(told)).toContain('Tea, no milk.');
  // The model must not mistake them for the text of a person of that name.
  expect(JSON.stringify(upstream.requests.at(-1))).not.toContain('kernel:');
});

test('[MSG-1] stores a message with a sender as not from the master', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.', { sender: 'Ann' });
  await client.say(chat.id, 'Hi.');
  const { messages } = await client.listMessages(chat.id);
  expect(messages[0]).toMatchObject({ role: 'user', sender: 'Ann', master: false });
  expect(messages[2]).toMatchObject({ role: 'user', master: true });
  expect(messages[2]).not.toHaveProperty('sender');
});

test('[MSG-2] returns the tail first, then older pages, and an empty page at the start of history', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  for (const text of ['1', '2', '3']) await client.say(chat.id, text);
  const path = `/v1/chats/${chat.id}/messages`;
  const whole = (await api.get(path)).body;
  expect(whole.messages).toHaveLength(6);
  expect(whole.next_before).toBe(whole.messages[0].id);
  for (let limit = 1; limit <= 7; limit++) {
    let read: unknown[] = [];
    let cursor = '';
    for (;;) {
      const { messages, next_before } = (await api.get(`${path}?limit=${limit}${cursor}`)).body;
      if (messages.length === 0) {
        expect(next_before).toBeNull();
        break;
      }
      expect(messages.length).toBeLessThanOrEqual(limit);
      read = [...messages, ...read];
      cursor = `&before=${next_before}`;
    }
    expect(read).toEqual(whole.messages);
  }
});

test('[MSG-4] returns 400 with different codes for a malformed and an unknown cursor', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const other = await client.createChat();
  const stream = await client.begin(chat.id, { text: 'Hi.' });
  await stream.all();
  const foreign = await client.begin(other.id, { text: 'Hi.' });
  await foreign.all();
  const unknown = '01900000-0000-7000-8000-000000000000';
  const asked: [string, string, string][] = [
    ['messages', 'yesterday', 'malformed_cursor'],
    ['messages', `${stream.messageId}:0`, 'malformed_cursor'],
    ['messages', unknown, 'unknown_cursor'],
    ['messages', foreign.messageId, 'unknown_cursor'],
    ['items', 'yesterday', 'malformed_cursor'],
    ['items', stream.messageId, 'malformed_cursor'],
    ['items', `${stream.messageId}:x`, 'malformed_cursor'],
    ['items', `${stream.messageId}:-1`, 'malformed_cursor'],
    ['items', `${stream.messageId}:0:0`, 'malformed_cursor'],
    ['items', `${unknown}:0`, 'unknown_cursor'],
    ['items', `${stream.messageId}:7`, 'unknown_cursor'],
    ['items', `${foreign.messageId}:0`, 'unknown_cursor'],
    // A live id is not a position in history.
    ['items', `${stream.turnId}:0`, 'unknown_cursor'],
  ];
  for (const [list, before, code] of asked) {
    const { status, body } = await api.get(`/v1/chats/${chat.id}/${list}?before=${before}`);
    expect([list, before, status, body.code]).toEqual([list, before, 400, code]);
  }
  expect((await api.get('/v1/chats?before=yesterday')).body.code).toBe('malformed_cursor');
  expect((await api.get(`/v1/chats?before=${unknown}`)).body.code).toBe('unknown_cursor');
});

test('[MSG-3] deletes a message and all after it in a rewind, also for the model', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'First.');
  upstream.next(calls('call_1', 'plan', { tasks: [] }), says('Planned.'));
  const second = await client.begin(chat.id, { text: 'Second.' });
  await second.all();
  await client.say(chat.id, 'Third.');
  const { status, body } = await api.delete(`/v1/chats/${chat.id}/messages/${second.messageId}`);
  // Second message, call, result, answer; third message, answer.
  expect([status, body]).toEqual([200, { deleted: 6, first_deleted: second.messageId, not_undone: [] }]);
  expect((await client.listMessages(chat.id)).messages).toHaveLength(2);
  expect((await client.items(chat.id)).map(item => item.kind)).toEqual(['user_message', 'agent_message']);
  // The list of chats is ordered by the remaining messages.
  const [, answer] = (await client.listMessages(chat.id)).messages;
  expect((await client.getChat(chat.id)).last_message_at).toBe(answer!.created_at);
  expect((await api.delete(`/v1/chats/${chat.id}/messages/${second.messageId}`)).status).toBe(404);

  await client.say(chat.id, 'Fourth.');
  const told = JSON.stringify(upstream.requests.at(-1)?.body.messages);
  expect(told).toContain('First.');
  expect(told).toContain('Fourth.');
  expect(told).not.toMatch(/Second|Planned|Third|call_1/);
});

test('[MSG-3] leaves a valid history for the model after a rewind into the middle of a turn', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('call_9', 'plan', { tasks: [] }), says('Planned.'));
  await client.say(chat.id, 'Plan.');
  const { messages } = await client.listMessages(chat.id);
  await client.rewind(chat.id, messages[2]!.id);
  expect((await client.items(chat.id)).at(-1)).toMatchObject({
    kind: 'tool_call',
    status: 'aborted',
    output: '[cancelled] The turn ended before this call returned a result.',
    is_error: true,
  });
  await client.say(chat.id, 'Go on.');
  expect(upstream.requests.at(-1)).toMatchObject({ body: { messages: expect.anything() } });
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});

test('[MSG-3] rejects a rewind while a turn runs, and returns 404 for an unknown message', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Well' }));
  const stream = await client.begin(chat.id, { text: 'Hi.' });
  await stream.until('text_delta');
  const busy = await api.delete(`/v1/chats/${chat.id}/messages/${stream.messageId}`);
  expect(busy).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  await client.cancelTurn(chat.id);
  for (const id of ['01900000-0000-7000-8000-000000000000', 'first']) {
    const { status, body } = await api.delete(`/v1/chats/${chat.id}/messages/${id}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  }
  expect((await client.rewind(chat.id, stream.messageId)).deleted).toBe(2);
  expect((await client.getChat(chat.id)).last_message_at).toBeNull();
});
