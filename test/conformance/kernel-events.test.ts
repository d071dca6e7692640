/** Tests GET /v1/events: the events of all chats, each sent once, and what a client gets after it was disconnected. */
import type { KernelEvent } from '@chat-kernel/protocol';
import { expect, onTestFinished, test } from 'vitest';
import type { EventStream } from '../harness/event-stream.ts';
import { startKernel } from '../harness/kernel.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, held, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel();

async function watch(headers: Record<string, string> = {}): Promise<EventStream<KernelEvent>> {
  const stream = await kernel.api.events(headers);
  onTestFinished(() => stream.hangUp());
  return stream;
}
const resume = (id: string | undefined) => watch({ 'last-event-id': id as string });

/** The events of one chat in a stream. The creation of another chat marks the end. */
async function toldOf(stream: EventStream<KernelEvent>, chatId: string): Promise<KernelEvent[]> {
  const last = await kernel.client.createChat();
  await stream.until(event => event.type === 'chat_created' && event.chat.id === last.id);
  return stream.events.filter(event => JSON.stringify(event).includes(chatId));
}
const types = (events: readonly KernelEvent[]) => events.map(event => event.type);
const titlesOf = (stream: EventStream<KernelEvent>) =>
  stream.events.map(event => ('chat' in event ? event.chat.title : event.type));

test('[CHAT-5] [EV-1] sends a created, changed and deleted chat to all viewers as the API returns it', async () => {
  const { client } = kernel;
  const [one, other] = [await watch(), await watch()];
  expect(one.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': /no-store/ });
  const chat = await client.createChat({ title: 'One' });
  const renamed = await client.patchChat(chat.id, { title: 'Two' });
  const moved = await client.setWorkdir(chat.id, { workdir: '/a' });
  await client.setEffort(chat.id, { level: 'high' });
  await client.deleteChat(chat.id);
  for (const stream of [one, other]) {
    expect(await toldOf(stream, chat.id)).toEqual([
      { type: 'chat_created', chat },
      { type: 'chat_updated', chat: renamed },
      { type: 'chat_updated', chat: moved },
      { type: 'chat_updated', chat: { ...moved, effort: 'high', updated_at: expect.any(String) } },
      { type: 'chat_deleted', chat_id: chat.id },
    ]);
  }
  expect(new Set(one.ids).size).toBe(one.ids.length);
  expect(other.ids).toEqual(one.ids);
});

test('[TURN-12] sends the start of a turn and its stored end in this order, without its text', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const first = held({ text: 'Slow.' });
  upstream.next(first.reply, { error: 'unauthorized' }, stuck({ text: 'Half' }));
  const stream = await watch();
  const one = await client.begin(chat.id, { text: '1' });
  const two = await client.begin(chat.id, { text: '2' });
  await two.until('queued');
  const ofTurn = (turn_id: string) => ({ chat_id: chat.id, turn_id });
  await stream.until('turn_started');
  // The waiting turn has not begun.
  expect((await toldOf(stream, chat.id)).map(event => 'turn_id' in event && event.turn_id)).toEqual([
    one.turnId,
  ]);
  first.go();
  await two.all();
  const ended = await stream.until(event => event.type === 'turn_ended' && event.turn_id === two.turnId);
  expect(ended).toMatchObject({ status: 'failed' });
  expect((await client.getTurn(chat.id, two.turnId)).status).toBe('failed');
  const three = await client.begin(chat.id, { text: '3' });
  await three.until('text_delta');
  await client.cancelTurn(chat.id);
  expect(await toldOf(stream, chat.id)).toEqual([
    { type: 'turn_started', ...ofTurn(one.turnId) },
    { type: 'turn_ended', ...ofTurn(one.turnId), status: 'completed' },
    { type: 'turn_started', ...ofTurn(two.turnId) },
    { type: 'turn_ended', ...ofTurn(two.turnId), status: 'failed' },
    { type: 'turn_started', ...ofTurn(three.turnId) },
    { type: 'turn_ended', ...ofTurn(three.turnId), status: 'cancelled' },
  ]);
});

test('[CHAT-2] [TURN-8] [MSG-3] sends changes of a chat by turns, surfaces and rewinds', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ workdir_on: 'server', consent: 'never' });
  const stream = await watch();
  upstream.next(calls('w', 'workdir', { path: '/tmp' }), says('Moved.'));
  const turn = await client.begin(chat.id, { text: 'Go.', chat_title: 'From a surface' });
  await turn.all();
  await client.rewind(chat.id, turn.messageId);
  const told = await toldOf(stream, chat.id);
  expect(types(told)).toEqual([
    'chat_updated',
    'turn_started',
    'chat_updated',
    'turn_ended',
    'history_changed',
    'chat_updated',
  ]);
  expect(told[0]).toMatchObject({ chat: { title: 'From a surface', last_message_at: expect.any(String) } });
  expect(told[2]).toMatchObject({ chat: { workdir: '/tmp', turn: { id: turn.turnId, status: 'running' } } });
  expect(told[4]).toMatchObject({ from_message_id: turn.messageId });
  expect(told[5]).toMatchObject({ chat: { id: chat.id, turn: null } });
});

test('[EV-13] [EV-14] sends requests as they open, with the fields of the list, and once as they end', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const stream = await watch();
  const questions = [
    { question: 'Which?', options: [{ label: 'Red' }] },
    { question: 'When?', options: [{ label: 'Now' }] },
  ];
  upstream.next(calls('q', 'ask_questions', { questions }), says('Well.'));
  const turn = await client.begin(chat.id, { text: 'Go.', questions: true });
  await stream.until(event => event.type === 'request_opened' && event.request.question === 1);
  const { requests } = await client.listRequests();
  await client.answerRequest(chat.id, { id: 'q', question: 0, answer: 'Red' });
  await client.cancelTurn(chat.id);
  await turn.all();
  const told = (await toldOf(stream, chat.id)).filter(event => event.type.startsWith('request_'));
  const resolved = { type: 'request_resolved', chat_id: chat.id, turn_id: turn.turnId, id: 'q' };
  expect(told).toEqual([
    ...requests.map((request: object) => ({ type: 'request_opened', request })),
    { ...resolved, kind: 'question', reason: 'answered', question: 0 },
    { ...resolved, kind: 'question', reason: 'cancelled', question: 1 },
  ]);
  expect(requests).toHaveLength(2);
});

test('[EV-12] resumes exactly after Last-Event-ID, also if no event came before it', async () => {
  const { client } = kernel;
  const early = await watch();
  expect(await early.until('opened')).toEqual({ type: 'opened' });
  const first = early.ids[0];
  early.hangUp();
  for (const title of ['a', 'b', 'c']) await client.createChat({ title });
  const whole = await resume(first);
  await whole.until(event => 'chat' in event && event.chat.title === 'c');
  expect(titlesOf(whole)).toEqual(['a', 'b', 'c']);
  const rest = await resume(whole.ids[0]);
  await rest.until(event => 'chat' in event && event.chat.title === 'c');
  expect(titlesOf(rest)).toEqual(['b', 'c']);
  expect([...whole.ids.slice(1)]).toEqual(rest.ids);
  const none = await resume(whole.ids[2]);
  await client.createChat({ title: 'd' });
  await none.until('chat_created');
  expect(titlesOf(none)).toEqual(['d']);
});

test('[EV-12] sends reset for an expired or unknown id, and then new events', async () => {
  const { client } = kernel;
  const before = await watch();
  await client.createChat();
  await before.until('chat_created');
  const [boot] = (before.ids[0] as string).split('.');
  for (const id of ['', 'x', `${boot}.99999999`, `${boot}.-1`, `${boot}.1.2`, `0199-other.1`]) {
    const stream = await resume(id);
    await stream.until('reset');
    await client.createChat({ title: `after ${id}` });
    await stream.until('chat_created');
    expect(titlesOf(stream)).toEqual(['reset', `after ${id}`]);
    stream.hangUp();
  }
});

test('ends the stream when the kernel stops, and sends reset for ids of an earlier process', async () => {
  const own = await startKernel();
  const stream = await own.api.events();
  await own.client.createChat();
  await stream.until('chat_created');
  await own.stop();
  await stream.closed();
  expect(types(stream.events)).toEqual(['opened', 'chat_created']);
  const next = await resume(stream.ids[0]);
  expect(await next.until('reset')).toEqual({ type: 'reset' });
});
