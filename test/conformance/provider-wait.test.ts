/** Tests that the reason why a turn waits is in its stream, its chat and the turn. */
import { expect, test } from 'vitest';
import { ManualClock } from '../harness/clock.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, eventsOf, held, says, stuck, textOf } from '../harness/story.ts';
import type { ScriptedReply } from '../upstream/reply.ts';

const clock = new ManualClock();
const kernel = sharedKernel({ clock });

/** `waiting_for` of the chat and of the turn, which must be equal. */
async function waitingFor(chatId: string, turnId: string) {
  const { turn } = await kernel.client.getChat(chatId);
  const { waiting_for } = await kernel.client.getTurn(chatId, turnId);
  if (turn?.id === turnId) expect(turn.waiting_for).toBe(waiting_for);
  return waiting_for;
}

test.each([
  ['a rate limit', { error: 'rate_limited' }, 'rate_limit'],
  ['an overloaded provider', { error: 'overloaded' }, 'overload'],
  ['a broken connection', { steps: [{ text: 'x' }], cut: { after_bytes: 10 } }, 'connection'],
] as const)('[WIRE-6] sends the end of the wait and marks the turn as waiting after %s', async (_, failure, reason) => {
  const chat = await kernel.client.createChat();
  const headers = { 'retry-after-ms': '400' };
  kernel.upstream.next({ ...failure, headers } as ScriptedReply, says('At last.'));
  const stream = await kernel.client.begin(chat.id, { text: 'Go.' });
  const wait = await stream.until('provider_wait');
  expect(Object.keys(wait)).toEqual(['type', 'until', 'attempt', 'of', 'reason']);
  expect(wait).toEqual({ type: 'provider_wait', until: expect.any(String), attempt: 1, of: 3, reason });
  // A dropped connection has no headers, so its pause is random.
  const pause = Date.parse(wait.until) - clock.now();
  if (reason === 'connection') expect(pause).toBeLessThanOrEqual(500);
  else expect(pause).toBe(400);
  expect(await waitingFor(chat.id, stream.turnId)).toBe('provider');
  clock.advance(500);
  const events = await stream.all();
  expect(eventsOf(events, 'provider_wait')).toHaveLength(1);
  expect(textOf(events)).toBe('At last.');
  expect(await waitingFor(chat.id, stream.turnId)).toBeNull();
});

test('[WIRE-6] sends a provider_wait for each retry of a request', async () => {
  const chat = await kernel.client.createChat();
  const failure: ScriptedReply = { error: 'server_error', headers: { 'retry-after-ms': '1' } };
  kernel.upstream.next(failure, failure, failure, failure);
  const stream = await kernel.client.begin(chat.id, { text: 'Go.' }, event => {
    if (event.type === 'provider_wait') clock.advance(1);
  });
  const events = await stream.all();
  expect(eventsOf(events, 'provider_wait')).toMatchObject([1, 2, 3].map(attempt => ({ attempt, of: 3 })));
  expect(eventsOf(events, 'error')).toMatchObject([{ code: 'upstream_error' }]);
});

test('[WIRE-6] sets waiting_for to null while the model works, request during a client request, and queue behind another turn', async () => {
  const chat = await kernel.client.createChat();
  const first = held({ text: 'So.' }, { call: { id: 'q', name: 'ask_questions', input: QUESTION } });
  kernel.upstream.next(first.reply, says('Thanks.'), says('And you.'));
  const asking = await kernel.client.begin(chat.id, { text: 'Go.', questions: true });
  const queued = await kernel.client.begin(chat.id, { text: 'Me, too.' });
  expect(await waitingFor(chat.id, asking.turnId)).toBeNull();
  expect(await waitingFor(chat.id, queued.turnId)).toBe('queue');
  first.go();
  await asking.until('tool_call');
  expect(await waitingFor(chat.id, asking.turnId)).toBe('request');
  await kernel.client.answerRequest(chat.id, { id: 'q', question: 0, answer: 'Red' });
  await queued.all();
  expect(await waitingFor(chat.id, queued.turnId)).toBeNull();
});

test('[WEB-8] [WIRE-6] sends a turn event when a turn that was queued or asleep begins', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const first = held({ text: 'So.' });
  kernel.upstream.next(first.reply, stuck());
  const before = await client.begin(chat.id, { text: 'Go.' });
  const queued = await client.begin(chat.id, { text: 'Me, too.' });
  expect(await queued.until(() => true)).toEqual({ type: 'queued', position: 1 });
  first.go();
  await before.all();
  const begins = { type: 'turn', turn_id: queued.turnId, waiting_for: null };
  expect(await queued.until('turn')).toEqual(begins);
  expect(queued.events).toHaveLength(2);
  await client.cancelTurn(chat.id);

  await client.sleep({});
  kernel.upstream.next(stuck());
  const asleep = await client.begin(chat.id, { text: 'Good night.' });
  expect(await asleep.until(() => true)).toMatchObject({ type: 'sleeping' });
  await client.wake();
  expect(await asleep.until('turn')).toEqual({ ...begins, turn_id: asleep.turnId });
  await client.cancelTurn(chat.id);
});

test('[WIRE-6] sets waiting_for to sleep while a turn sleeps', async () => {
  const chat = await kernel.client.createChat();
  kernel.upstream.next(calls('s', 'sleep', {}), says('Awake.'));
  const stream = await kernel.client.begin(chat.id, { text: 'Rest.' });
  await stream.until('sleeping');
  expect(await waitingFor(chat.id, stream.turnId)).toBe('sleep');
  await kernel.client.cancelTurn(chat.id);
});

test('[WIRE-6] starts the stream of a turn with its id, also if a connected machine does not answer', async () => {
  const machine = await StandingBy.open(kernel.api, 'silent');
  const chat = await kernel.client.createChat();
  await kernel.client.setWorkdir(chat.id, { workdir: '/garden', workdir_on: 'client', hands: 'silent' });
  const stream = await kernel.client.begin(chat.id, { text: 'Go.' });
  const first = await stream.until(() => true);
  expect(first).toEqual({ type: 'turn', turn_id: stream.turnId, waiting_for: null });
  await machine.operation('list_up');
  expect(stream.events).toEqual([first]);
  const live = await kernel.api.live(chat.id);
  expect(await live.until(() => true)).toEqual({ ...first, replayed: true });
  machine.leave();
  await kernel.client.cancelTurn(chat.id);
});

const QUESTION = { questions: [{ question: 'Which colour?', options: [{ label: 'Red' }] }] };
