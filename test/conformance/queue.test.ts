/** Tests that a chat runs one turn at a time; the others wait in a queue or are refused. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, held, says, stuck, textOf } from '../harness/story.ts';

const kernel = sharedKernel();

test('[TURN-12] queues messages to a busy chat in order, on streams that open at once', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const first = held({ text: 'one' });
  upstream.next(first.reply, says('two'), says('three'));
  const streams = [await client.begin(chat.id, { text: '1' })];
  streams.push(await client.begin(chat.id, { text: '2' }), await client.begin(chat.id, { text: '3' }));
  expect(await streams[1]?.until('queued')).toEqual({ type: 'queued', position: 1 });
  expect(await streams[2]?.until('queued')).toEqual({ type: 'queued', position: 2 });
  expect((await client.getChat(chat.id)).turn).toEqual({
    id: streams[0]?.turnId,
    status: 'running',
    waiting_for: null,
  });
  const waiting = await client.getTurn(chat.id, streams[1]?.turnId as string);
  expect(waiting).toMatchObject({ status: 'queued', started_at: null, ended_at: null, model: null });

  first.go();
  const told = await Promise.all(streams.map(stream => stream.all()));
  expect(told.map(events => textOf(events))).toEqual(['one', 'two', 'three']);
  expect(eventsOf(told[0] ?? [], 'queued')).toEqual([]);
  const texts = (await client.items(chat.id)).map(item => 'text' in item && item.text);
  expect(texts).toEqual(['1', 'one', '2', 'two', '3', 'three']);
  expect((await client.getChat(chat.id)).turn).toBeNull();
});

test('[TURN-12] returns 409 for on_busy: reject while a turn runs, and stores nothing', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Well' }));
  const stream = await client.begin(chat.id, { text: '1', on_busy: 'reject' });
  await stream.until('text_delta');
  const refused = await api.post(`/v1/chats/${chat.id}/messages`, { text: '2', on_busy: 'reject' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  await client.cancelTurn(chat.id);
  await stream.all();
  expect(JSON.stringify(await client.items(chat.id))).not.toContain('"2"');
});

test('[TURN-12] runs turns of different chats independently', async () => {
  const { client, upstream } = kernel;
  const [busy, free] = [await client.createChat(), await client.createChat()];
  upstream.next(stuck({ text: 'Well' }));
  const stream = client.turn(busy.id, { text: 'Hi.' });
  const { turn_id } = await stream.started;
  expect(await client.turn(free.id, { text: 'Hi.' }).result()).toMatchObject({
    status: 'completed',
    text: 'ok',
  });
  expect(await client.cancelTurn(busy.id)).toEqual({ cancelled: true, turn_id });
  expect(await stream.result()).toMatchObject({ turn_id, status: 'cancelled' });
});

test('[TURN-12] shows earlier messages to a queued turn', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const first = held({ text: 'forty-two' });
  upstream.next(first.reply);
  const one = await client.begin(chat.id, { text: 'A number?' });
  const two = await client.begin(chat.id, { text: 'Which one?' });
  first.go();
  await Promise.all([one.all(), two.all()]);
  const told = upstream.requests.at(-1)?.body.messages.map((message: { role: string }) => message.role);
  expect(told).toEqual(['system', 'user', 'assistant', 'user']);
});

test('[TURN-12] returns the outcome of a turn by its id', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({
    steps: [{ text: 'Hi.' }, { usage: { prompt: 10, completion: 2, reasoning: 0, cached: 0 } }],
  });
  const stream = await client.begin(chat.id, { text: 'Hello.' });
  await stream.all();
  const body = await client.getTurn(chat.id, stream.turnId);
  expect(body).toEqual({
    id: stream.turnId,
    chat_id: chat.id,
    status: 'completed',
    waiting_for: null,
    model: 'scripted/plain',
    effort: { value: 'low', source: 'global', raised: false },
    started_at: expect.any(String),
    ended_at: expect.any(String),
    usage: {
      prompt_tokens: 10,
      completion_tokens: 2,
      reasoning_tokens: 0,
      cached_tokens: 0,
      cost_usd: expect.closeTo(0.00003, 12),
    },
    outside: [],
  });
  upstream.next({ error: 'unauthorized' });
  const failed = await client.begin(chat.id, { text: 'Hello.' });
  const [error] = eventsOf(await failed.all(), 'error');
  expect(await client.getTurn(chat.id, failed.turnId)).toMatchObject({
    status: 'failed',
    error: { code: 'upstream_auth', message: error?.message, retryable: false },
  });
  const other = await client.createChat();
  for (const id of [stream.turnId, 'turn', '01900000-0000-7000-8000-000000000000']) {
    expect((await api.get(`/v1/chats/${other.id}/turns/${id}`)).status).toBe(404);
  }
});
