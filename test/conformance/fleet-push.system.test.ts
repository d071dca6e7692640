/**
 * Tests notifications from several kernels: the kernel that knows of the event sends each once, to the subscribers of
 * all kernels.
 */
import { afterAll, expect, test } from 'vitest';
import { openFleet, stopPostgres } from '../harness/fleet.ts';
import { claimsOf, startPushService } from '../harness/push-service.ts';
import { calls, says, stuck } from '../harness/story.ts';

afterAll(stopPostgres);

const PATIENT = { timeout: 60_000, interval: 50 };
const SETTINGS = { push: { allow_private: true } };
const QUESTIONS = [{ question: 'Paint it red?', options: [{ label: 'Yes' }, { label: 'No' }] }];

test('[FLEET-4] [PUSH-2] sends each notification from one kernel: for a question, an end, and a turn whose kernel crashed', async () => {
  const fleet = await openFleet();
  const service = await startPushService();
  const kernels = [
    await fleet.start('a', SETTINGS),
    await fleet.start('b', SETTINGS),
    await fleet.start('c', SETTINGS),
  ] as const;
  const [a, b, c] = kernels;
  const browser = service.browser();
  expect(await a.api.put('/v1/push/subscriptions', browser.subscription)).toMatchObject({ status: 200 });
  for (const { api } of kernels) {
    const subscriptions = async () => (await api.get('/v1/push/subscriptions')).body.subscriptions;
    await expect.poll(subscriptions, PATIENT).toHaveLength(1);
  }
  const { public_key } = (await a.api.get('/v1/push')).body;
  const told = () => browser.words().map(({ type, chat_id }) => [type, chat_id]);

  const asking = await b.api.newChat();
  fleet.upstream.next(calls('q', 'ask_questions', { questions: QUESTIONS }), says('It is red.'));
  const question = await b.api.turn(asking.id, { text: 'Paint.', questions: true });
  const expected: unknown[] = [['request_opened', asking.id]];
  await expect.poll(told, PATIENT).toEqual(expected);

  question.hangUp();
  const answer = { id: 'q', question: 0, answer: 'Yes' };
  expect(await c.api.post(`/v1/chats/${asking.id}/ops/result`, answer)).toMatchObject({ status: 200 });
  expected.push(['turn_ended', asking.id]);
  await expect.poll(told, PATIENT).toEqual(expected);

  const lost = await c.api.newChat();
  fleet.upstream.next(stuck({ text: 'I begin' }));
  const stream = await c.api.turn(lost.id, { text: 'Go.' });
  await stream.until('text_delta');
  stream.hangUp();
  await c.kill();
  expected.push(['turn_ended', lost.id]);
  await expect.poll(told, PATIENT).toEqual(expected);

  // Notifications of other kernels about the earlier events would have arrived by now, as this one has.
  const last = await a.api.newChat();
  fleet.upstream.next(calls('r', 'ask_questions', { questions: QUESTIONS }));
  await a.api.turn(last.id, { text: 'Paint.', questions: true });
  expected.push(['request_opened', last.id]);
  await expect.poll(told, PATIENT).toEqual(expected);
  for (const pushed of service.received) claimsOf(pushed, public_key);
});
