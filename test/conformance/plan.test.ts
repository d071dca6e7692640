/** Tests the plan of a chat: always sent as a whole, never part of history. */
import { expect, test } from 'vitest';
import { foldItems } from '../harness/items.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel();

const LOOK = { title: 'Look', status: 'completed' };
const LEAP = { title: 'Leap', status: 'in_progress' };

test('[EV-9] sends the whole plan on each change, and closes it when it is empty', async () => {
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

test('[BT-7] offers the plan tool, replaces the whole plan, and shows the current one to the model', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'plan', { tasks: [LOOK] }),
    calls('b', 'plan', { tasks: [LEAP] }),
    calls('c', 'plan', { tasks: [{ title: 'Leap', status: 'someday' }] }),
    says('Planned.'),
  );
  const events = await client.say(chat.id, 'Plan.');
  const offered = upstream.requests
    .at(-1)
    ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(offered).toContain('plan');
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([false, false, true]);
  expect(await client.getPlan(chat.id)).toEqual({ tasks: [LEAP] });
});

test('[PLAN-1] keeps the plan after its turn, returns and clears it, and leaves it out of the history', async () => {
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

test('[PLAN-1] [EV-9] notifies a viewer of a running turn that the plan was cleared', async () => {
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

test('[PLAN-1] [EV-12] sends a cleared plan to followers while no turn runs', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  const early = await api.live(chat.id, '?follow=true');
  const muted = await api.live(chat.id, '?follow=true&mute=plan');
  const all = await api.events();
  await client.erasePlan(chat.id);
  await early.until(({ type }) => type === 'plan');
  expect(early.ids).toHaveLength(1);

  upstream.next(calls('a', 'plan', { tasks: [LEAP] }), says('Planned.'));
  const turn = await api.turn(chat.id, { text: 'Plan.' });
  await turn.all();
  const late = await api.live(chat.id, '?follow=true', { 'last-event-id': turn.lastId! });
  await early.until(({ type }) => type === 'done');
  await client.erasePlan(chat.id);
  for (const stream of [early, late]) {
    await expect.poll(() => stream.events.at(-1)).toEqual({ type: 'plan', tasks: [] });
    expect(stream.lastId).toBe(turn.lastId);
  }
  const updated = () =>
    all.events.filter(event => event.type === 'chat_updated' && event.chat.id === chat.id);
  await expect.poll(() => updated().length).toBeGreaterThanOrEqual(2);

  // The id leads back to the reader's position, so nothing arrives twice.
  const again = await api.live(chat.id, '?follow=true', { 'last-event-id': early.lastId! });
  const next = await api.turn(chat.id, { text: 'Go on.' });
  await next.all();
  for (const stream of [early, late, again])
    await stream.until(event => event.type === 'done' && event.turn_id === next.turnId);
  expect(again.ids).toEqual(next.ids);
  await muted.until(event => event.type === 'done' && event.turn_id === next.turnId);
  expect(muted.events.filter(({ type }) => type === 'plan')).toEqual([]);
  for (const stream of [early, late, again, muted, all]) stream.hangUp();
});

test('[PLAN-1] leaves the plan unchanged by a rewind', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('a', 'plan', { tasks: [LEAP] }), says('Planned.'));
  const stream = await client.begin(chat.id, { text: 'Plan.' });
  await stream.all();
  await client.rewind(chat.id, stream.messageId);
  expect(await client.getPlan(chat.id)).toEqual({ tasks: [LEAP] });
});
