/**
 * Tests that a view joins history and live turns in one list across dropped connections, and finally matches the
 * kernel.
 */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { sharedKernel } from '../../../test/harness/shared-kernel.ts';
import { calls, held, says } from '../../../test/harness/story.ts';
import { ChatView, type ChatViewOptions, KernelClient, type StreamConnection } from '../src/index.ts';
import { type Cutter, startCutter } from './cutter.ts';

let wire: Cutter;
let client: KernelClient;
const kernel = sharedKernel();
beforeEach(async () => {
  wire = await startCutter(kernel.url);
  client = new KernelClient({ url: wire.url });
});
afterEach(() => wire.close());

function show(chatId: string, options: ChatViewOptions = {}): ChatView {
  const view = new ChatView(client, chatId, { retryMs: 5, ...options });
  onTestFinished(() => view.close());
  return view;
}
/** Resolves when the view shows the history. */
const settled = async (view: ChatView) => {
  const items = await kernel.api.items(view.chatId);
  await view.until(snapshot => JSON.stringify(snapshot.items) === JSON.stringify(items));
};

it('[ITEM-10] joins history and running turn, and equals the history after the turn', async () => {
  kernel.upstream.next(says('Old.'));
  const chat = await kernel.api.newChat({ title: 'View' });
  await kernel.api.say(chat.id, 'Before.');
  const view = show(chat.id);
  await view.until(({ loaded }) => loaded);
  expect(view.getSnapshot()).toMatchObject({ busy: false, turn: null, requests: [], plan: [] });

  const gate = held({ text: ' done.' });
  kernel.upstream.next(calls('c', 'plan', { tasks: [{ title: 'Tea', status: 'pending' }] }), {
    steps: [{ text: 'half' }, ...(gate.reply.steps ?? [])],
  });
  const { turn_id } = await view.send({ text: 'Now.' });
  const half = await view.until(({ items }) => {
    const kinds = items.map(({ kind }) => kind);
    return kinds.at(-1) === 'agent_message' && kinds.filter(kind => kind === 'user_message').length === 2;
  });
  expect(half.items.map(({ kind, turn_id: turn }) => [kind, turn === turn_id])).toEqual([
    ['user_message', false],
    ['agent_message', false],
    ['user_message', true],
    ['tool_call', true],
    ['plan', true],
    ['agent_message', true],
  ]);
  expect(half).toMatchObject({ busy: true, turn: { turn_id, status: 'running' }, plan: [{ title: 'Tea' }] });
  gate.go();
  await view.until(({ turn }) => turn?.done != null);
  await settled(view);
  expect(view.getSnapshot()).toMatchObject({
    busy: false,
    turn: { status: 'completed' },
    plan: [{ title: 'Tea' }],
  });
});

it('sends a message even if the view closes during the call', async () => {
  const chat = await kernel.api.newChat();
  const view = show(chat.id);
  const sending = view.send({ text: 'On its way.' });
  view.close();
  const { message_id } = await sending;
  expect(await kernel.api.items(chat.id)).toContainEqual(
    expect.objectContaining({ kind: 'user_message', message_id, text: 'On its way.' }),
  );
});

it('[PLAN-1] drops a plan that another client erases, without starting a turn', async () => {
  kernel.upstream.next(
    calls('c', 'plan', { tasks: [{ title: 'Tea', status: 'pending' }] }),
    says('Planned.'),
  );
  const chat = await kernel.api.newChat({ title: 'View' });
  await kernel.api.say(chat.id, 'Plan.');
  const view = show(chat.id);
  await view.until(({ plan, connection }) => plan.length === 1 && connection.state === 'open');
  await kernel.client.erasePlan(chat.id);
  const after = await view.until(({ plan }) => plan.length === 0);
  expect(after).toMatchObject({ busy: false, turn: null });
});

it('[ITEM-9] loads older pages on request, down to the first message', async () => {
  const chat = await kernel.api.newChat({ title: 'Long' });
  for (let n = 0; n < 7; n++) await kernel.api.say(chat.id, `${n}`);
  const view = show(chat.id, { pageSize: 3 });
  await view.until(({ loaded }) => loaded);
  expect(view.getSnapshot()).toMatchObject({ has_older: true, items: { length: 3 } });
  for (let pages = 0; view.getSnapshot().has_older; pages++) {
    expect(pages).toBeLessThan(10);
    const shown = view.getSnapshot().items.length;
    await Promise.all([view.loadOlder(), view.loadOlder()]);
    // The last page may be empty.
    const { items, has_older } = view.getSnapshot();
    expect(items.length > shown || !has_older).toBe(true);
  }
  await settled(view);
  await view.loadOlder();
  expect(view.getSnapshot().items).toHaveLength(14);
});

it('[MSG-3] removes rewound messages on a refresh', async () => {
  const chat = await kernel.api.newChat({ title: 'Back' });
  for (const text of ['one', 'two']) await kernel.api.say(chat.id, text);
  const view = show(chat.id);
  const { items } = await view.until(({ items }) => items.length === 4);
  const third = items[2];
  if (third?.kind !== 'user_message') throw new Error(`${third?.kind} is no user message`);
  await client.rewind(chat.id, third.message_id);
  await view.refresh();
  await settled(view);
  expect(view.getSnapshot().items).toHaveLength(2);
});

it('shows a turn that another client starts, and queued turns, with their messages', async () => {
  const chat = await kernel.api.newChat({ title: 'Two' });
  const view = show(chat.id);
  const phone = show(chat.id);
  await view.until(({ loaded, connection }) => loaded && connection.state === 'open');
  const gate = held({ text: 'one' });
  kernel.upstream.next(gate.reply, says('two'));
  await phone.send({ text: '1' });
  await phone.send({ text: '2' });
  gate.go();
  for (const shown of [view, phone]) {
    await shown.until(({ items }) =>
      items.some(item => item.kind === 'agent_message' && item.text === 'two'),
    );
    await shown.until(({ busy }) => !busy);
    await settled(shown);
  }
});

it('[WEB-8] is busy once the record of the chat has a turn, until that turn ends', async () => {
  const chat = await kernel.api.newChat({ title: 'Early' });
  const gate = held({ text: 'Done.' });
  kernel.upstream.next(gate.reply);
  const { turnId } = await kernel.client.begin(chat.id, { text: 'Go.' });
  const record = (await kernel.api.get(`/v1/chats/${chat.id}`)).body.turn;
  wire.refuse(true);
  const view = show(chat.id);
  view.report(record);
  expect(await view.until(({ busy }) => busy)).toMatchObject({ turn: null });
  wire.refuse(false);
  await view.until(({ turn }) => turn?.turn_id === turnId);
  gate.go();
  await view.until(({ busy }) => !busy);
  // A record that was read before the end is out of date.
  view.report(record);
  const before = view.getSnapshot();
  await view.until(snapshot => snapshot !== before);
  expect(view.getSnapshot().busy).toBe(false);
});

it('[TURN-11] equals the history at the end, after cuts at any byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 200, max: 9000 }), { minLength: 2, maxLength: 12 }),
      async cuts => {
        const chat = await kernel.api.newChat({ title: 'Cut' });
        kernel.upstream.next(
          calls(`c${cuts[0]}`, 'notebook', { text: 'Tea.', mode: 'append' }),
          { steps: [{ thinking: 'Hm.' }, { text: ['a', 'b', 'c', 'd', 'e'], delay_ms: 3 }] },
          says('Second.'),
        );
        wire.cutAfter(...cuts);
        const view = new ChatView(client, chat.id, { retryMs: 1 });
        await view.send({ text: '1' });
        await view.send({ text: '2' });
        await view.until(
          ({ items, busy }) => !busy && items.some(item => 'text' in item && item.text === 'Second.'),
        );
        await settled(view);
        view.close();
        wire.cutAfter();
      },
    ),
    { numRuns: 12, seed: 3 },
  );
});

it('shows the connection state, and reconnects when the kernel is reachable again', async () => {
  const chat = await kernel.api.newChat({ title: 'Line' });
  const seen: StreamConnection[] = [];
  const view = show(chat.id, { onConnection: connection => seen.push(connection) });
  await view.until(({ loaded }) => loaded);
  wire.refuse(true);
  wire.cut();
  const waiting = await view.until(
    ({ connection }) => connection.state === 'waiting' && connection.attempt > 1,
  );
  expect(waiting.connection).toMatchObject({ retry_at: expect.any(Number), cause: { name: 'BrokenLine' } });
  await kernel.api.say(chat.id, 'Meanwhile.');
  wire.refuse(false);
  await view.until(({ connection }) => connection.state === 'open');
  await settled(view);
  view.close();
  await view.until(({ connection }) => connection.state === 'closed');
  expect(seen.slice(0, 3).map(({ state }) => state)).toEqual(['connecting', 'open', 'waiting']);
});

it('notifies once per tick, and returns the same snapshot until then', async () => {
  const chat = await kernel.api.newChat({ title: 'Tick' });
  kernel.upstream.next({ steps: [{ text: Array.from({ length: 300 }, () => 'word ') }] });
  const view = show(chat.id);
  await view.until(({ loaded, connection }) => loaded && connection.state === 'open');
  let events = 0;
  const counting = show(chat.id, { onEvent: () => void events++ });
  const listener = vi.fn();
  counting.subscribe(listener);
  await counting.until(({ loaded }) => loaded);
  await client.turn(chat.id, { text: 'Go.' }).result();
  await counting.until(({ turn }) => turn?.done != null);
  await settled(counting);
  expect(listener.mock.calls.length).toBeLessThan(events + 10);
  const same = counting.getSnapshot();
  expect(counting.getSnapshot()).toBe(same);
});

it('reports the reason when its chat is deleted', async () => {
  const chat = await kernel.api.newChat({ title: 'Gone' });
  await kernel.api.delete(`/v1/chats/${chat.id}`);
  const view = show(chat.id);
  await expect(view.until(({ loaded }) => loaded)).rejects.toMatchObject({ status: 404 });
  expect(view.getSnapshot().failure).toMatchObject({ code: 'not_found' });
});

it('reconnects immediately on request or when the network is back', async () => {
  const network = new EventTarget();
  const chat = await kernel.api.newChat();
  const view = show(chat.id, { retryMs: 60_000, online: network });
  for (const hurry of [() => view.reconnectNow(), () => network.dispatchEvent(new Event('online'))]) {
    await view.until(({ connection }) => connection.state === 'open');
    wire.cut();
    await view.until(({ connection }) => connection.state === 'waiting');
    hurry();
  }
  await view.until(({ connection }) => connection.state === 'open');
  view.close();
  expect(getEventListeners(network, 'online')).toHaveLength(1);
  await view.until(({ connection }) => connection.state === 'closed');
  await expect.poll(() => getEventListeners(network, 'online')).toEqual([]);
});

it('resolves a page in progress when the view closes', async () => {
  const chat = await kernel.api.newChat();
  for (let n = 0; n < 3; n++) await kernel.api.say(chat.id, `${n}`);
  const view = show(chat.id, { pageSize: 1 });
  await view.until(({ loaded }) => loaded);
  const loading = view.loadOlder();
  view.close();
  await expect(loading).resolves.toBeUndefined();
});
