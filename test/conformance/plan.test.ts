/** The plan of a chat: always whole, never history. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

const LOOK = { title: 'Look', status: 'completed' };
const LEAP = { title: 'Leap', status: 'in_progress' };

test('[BT-7] [EV-9] [PLAN-1] each change sends the whole plan, and the empty one closes it', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'plan', { tasks: [{ ...LOOK, status: 'pending' }] }),
    calls('b', 'plan', { tasks: [LOOK, LEAP] }),
    calls('c', 'plan', { tasks: [] }),
    says('Done.'),
  );
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const events = await stream.all();
  expect(eventsOf(events, 'plan')).toEqual([
    { type: 'plan', tasks: [{ ...LOOK, status: 'pending' }] },
    { type: 'plan', tasks: [LOOK, LEAP] },
    { type: 'plan', tasks: [] },
  ]);
  const deltas = eventsOf(events, 'item_delta').map(event => event.delta);
  expect(deltas.filter(delta => delta.type === 'plan')).toEqual([
    { type: 'plan', tasks: [LOOK, LEAP] },
    { type: 'plan', tasks: [] },
  ]);
  const drawn = foldItems(events).filter(item => item.kind === 'plan');
  expect(drawn).toMatchObject([{ status: 'completed', turn_id: stream.turnId, tasks: [] }]);
});

test('[PLAN-1] the plan outlives its turn, can be read and erased, and is not in history', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  const path = `/v1/chats/${chat.id}/plan`;
  expect((await api.get(path)).body).toEqual({ tasks: [] });
  upstream.next(calls('a', 'plan', { tasks: [LOOK, LEAP] }), says('Planned.'));
  const events = await client.say(chat.id, 'Plan.');
  expect(foldItems(events).find(item => item.kind === 'plan')).toMatchObject({ status: 'completed' });
  expect((await api.get(path)).body).toEqual({ tasks: [LOOK, LEAP] });
  expect((await client.items(chat.id)).map(item => item.kind)).not.toContain('plan');
  const erased = await api.delete(path);
  expect([erased.status, erased.body]).toEqual([200, { tasks: [] }]);
  expect((await api.get(path)).body).toEqual({ tasks: [] });
});

test('[PLAN-1] [EV-9] who watches a running turn is told that the plan was erased', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('a', 'plan', { tasks: [LEAP] }), stuck({ text: 'Now' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.erasePlan(chat.id);
  await stream.until(event => event.type === 'plan' && event.tasks.length === 0);
  await client.cancelTurn(chat.id);
  expect(foldItems(await stream.all()).find(item => item.kind === 'plan')).toMatchObject({
    status: 'completed',
    tasks: [],
  });
});

test('[PLAN-1] a rewind leaves the plan as it is', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('a', 'plan', { tasks: [LEAP] }), says('Planned.'));
  const stream = await client.begin(chat.id, { text: 'Plan.' });
  await stream.all();
  await client.rewind(chat.id, stream.messageId);
  expect(await client.getPlan(chat.id)).toEqual({ tasks: [LEAP] });
});
