/** Tests canceling: the provider request ends, open items are closed, and the queue advances. */
import { expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { kernelOf, sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, says, shape, stuck, textOf, withoutItems } from '../harness/story.ts';

const kernel = sharedKernel();

const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';
const CALL = { call: { id: 'call_1', name: 'plan', input: { tasks: [] } } };

test('[TURN-10] gives open calls a synthetic result, ends the turn once, and stores the same in history', async () => {
  // With this provider API a call is complete before its response ends.
  const google = await kernelOf({ kind: 'google' });
  const { api, client, upstream } = google;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'I will' }, CALL));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('tool_call');
  const { status, body } = await api.post(`/v1/chats/${chat.id}/cancel`);
  expect([status, body]).toEqual([200, { cancelled: true, turn_id: stream.turnId }]);
  expect(await upstream.requests.at(-1)?.ended).toBe('aborted');

  const events = await stream.all();
  expect(shape(withoutItems(events))).toEqual(['text_delta', 'tool_call', 'usage', 'tool_result', 'done']);
  expect(eventsOf(events, 'tool_result')).toEqual([
    { type: 'tool_result', id: 'call_1', name: 'plan', output: SYNTHETIC, is_error: true },
  ]);
  expect(events.at(-1)).toMatchObject({ status: 'cancelled', stop_reason: 'cancelled' });
  const items = foldItems(events);
  expect(items).toMatchObject([
    { kind: 'agent_message', text: 'I will' },
    { kind: 'tool_call', status: 'aborted', output: SYNTHETIC, is_error: true },
    { kind: 'machine_note', note: 'turn_cancelled', text: '[cancelled] This turn was cancelled.' },
  ]);
  expect(comparable(await client.items(chat.id))).toEqual(comparable(items));
  const { messages } = await client.listMessages(chat.id);
  expect(messages.map((message: { status: string }) => message.status)).toEqual([
    'completed',
    'aborted',
    'aborted',
    'completed',
  ]);
  const turn = await api.get(`/v1/chats/${chat.id}/turns/${stream.turnId}`);
  expect(turn.body).toMatchObject({ status: 'cancelled' });
  expect(turn.body).not.toHaveProperty('error');

  expect(textOf(await client.say(chat.id, 'And now?'))).toBe('ok');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
  expect(JSON.stringify(upstream.requests.at(-1)?.body.contents)).toContain(SYNTHETIC);
});

test('[TURN-10] keeps the text that was sent before the cancel', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ thinking: 'Hm.' }, { text: ['Half', ' of it'] }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until(event => event.type === 'text_delta' && event.text.endsWith('it'));
  await client.cancelTurn(chat.id);
  expect(
    (await client.items(chat.id)).map(item => [item.kind, item.status, 'text' in item && item.text]),
  ).toEqual([
    ['user_message', 'completed', 'Go.'],
    ['thinking', 'completed', 'Hm.'],
    ['agent_message', 'aborted', 'Half of it'],
    ['machine_note', 'completed', '[cancelled] This turn was cancelled.'],
  ]);
});

test('[TURN-10] cancels nothing if no turn runs', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const nothing = { cancelled: false, turn_id: null };
  expect(await client.cancelTurn(chat.id)).toEqual(nothing);
  await client.say(chat.id, 'Hi.');
  expect(await client.cancelTurn(chat.id, { queued: true })).toEqual({ ...nothing, dropped: [] });
  expect((await api.post(`/v1/chats/${chat.id}/cancel?queued=maybe`)).status).toBe(400);
  expect((await api.post('/v1/chats/01900000-0000-7000-8000-000000000000/cancel')).status).toBe(404);
});

test('[TURN-10] runs queued turns after a cancel', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'one' }), says('two'));
  const first = await client.begin(chat.id, { text: '1' });
  await first.until('text_delta');
  const second = await client.begin(chat.id, { text: '2' });
  await second.until('queued');
  expect((await client.cancelTurn(chat.id)).turn_id).toBe(first.turnId);
  expect((await first.all()).at(-1)).toMatchObject({ status: 'cancelled' });
  const events = await second.all();
  expect([textOf(events), events.at(-1)]).toMatchObject(['two', { status: 'completed' }]);
});

test('[TURN-10] [WAIT-4] queued=true drops queued turns with their messages, and returns their text', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'one' }));
  const first = await client.begin(chat.id, { text: '1' });
  await first.until('text_delta');
  const waiting = [await client.begin(chat.id, { text: '2' }), await client.begin(chat.id, { text: '3' })];
  const asked = upstream.requests.length;
  const body = await client.cancelTurn(chat.id, { queued: true });
  expect(body).toEqual({
    cancelled: true,
    turn_id: first.turnId,
    dropped: waiting.map(({ turnId, messageId }, index) => ({
      turn_id: turnId,
      message_id: messageId,
      text: ['2', '3'][index],
    })),
  });
  for (const stream of [first, ...waiting]) {
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  }
  expect(upstream.requests.length).toBe(asked);
  const said = (await client.items(chat.id)).filter(item => item.kind === 'user_message');
  expect(said.map(item => item.text)).toEqual(['1']);
  for (const { turnId } of waiting) {
    expect(await client.getTurn(chat.id, turnId)).toMatchObject({ status: 'cancelled', started_at: null });
  }
  expect(textOf(await client.say(chat.id, '4'))).toBe('ok');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});

test('[TURN-10] ends a turn once on two concurrent cancels', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'one' }));
  const stream = await client.begin(chat.id, { text: '1' });
  await stream.until('text_delta');
  const answers = await Promise.all([1, 2].map(() => api.post(`/v1/chats/${chat.id}/cancel`)));
  expect(answers.map(({ body }) => body)).toContainEqual({ cancelled: true, turn_id: stream.turnId });
  expect((await stream.all()).at(-1)).toMatchObject({ status: 'cancelled' });
  expect((await client.items(chat.id)).filter(item => item.kind === 'machine_note')).toHaveLength(1);
});

test('[TURN-10] [EV-4] counts tokens spent before a cancel', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'A few words that were paid for' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  const events = await stream.all();
  const [usage] = eventsOf(events, 'usage');
  expect(usage?.prompt_tokens).toBeGreaterThan(0);
  expect(usage?.completion_tokens).toBeGreaterThan(0);
  expect(await client.getSpend(chat.id)).toMatchObject({
    turns: 1,
    prompt_tokens: usage?.prompt_tokens,
    completion_tokens: usage?.completion_tokens,
  });
});
