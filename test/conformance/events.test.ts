/** Tests the stream: its headers, its lines, and the fields of its events in order. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, textOf } from '../harness/story.ts';

const kernel = sharedKernel();

test('[EV-1] streams plain server-sent events that proxies must not buffer or change', async () => {
  const { api } = kernel;
  const chat = await api.newChat();
  const stream = await api.turn(chat.id, { text: 'Hi.' }, { 'accept-encoding': 'gzip, br' });
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-turn-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-message-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-request-id': expect.stringMatching(/./),
  });
  expect(stream.headers).not.toHaveProperty('content-encoding');
  await stream.all();
  expect(new Set(stream.ids).size).toBe(stream.events.length);
});

test('[EV-1] [EV-2] sends an event as one line and preserves any text', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const pieces = ['a\nb\r\n\r\ndata: {}\n\n', '\u2028\u2029\0\u0085"\\', '👩‍👩‍👧 ü', '\ud83d', '\ude00'];
  upstream.next({ steps: [{ text: pieces }] });
  const stream = await api.turn(chat.id, { text: 'Hi.' });
  expect(textOf(await stream.all())).toBe(pieces.join(''));
  const lines = stream.raw.split('\n').filter(line => line !== '');
  expect(lines.every(line => /^(id: \S+$|data: \{|retry: \d+$|:)/.test(line))).toBe(true);
  expect(stream.raw).toMatch(/^retry: 1000\ndata: \{/);
  expect(stream.raw).not.toMatch(/^event:/m);
  expect((await api.items(chat.id)).at(-1)).toMatchObject({ text: pieces.join('') });
});

test('[EV-2] sends each piece before the model produces the next', async () => {
  const { api, upstream } = kernel;
  const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  upstream.next({
    steps: [
      { thinking: 'Hm' },
      { wait: first!.promise },
      { thinking: ', so.' },
      { text: 'Hel' },
      { wait: second!.promise },
      { text: 'lo' },
      { wait: third!.promise },
      { text: '!' },
    ],
  });
  const stream = await api.turn((await api.newChat()).id, { text: 'Hi.', effort: 'low' });
  const soFar = (type: 'text_delta' | 'thinking_delta') => textOf(stream.events, type);
  await stream.until('thinking_delta');
  expect([soFar('thinking_delta'), soFar('text_delta')]).toEqual(['Hm', '']);
  first!.resolve();
  await stream.until('text_delta');
  expect([soFar('thinking_delta'), soFar('text_delta')]).toEqual(['Hm, so.', 'Hel']);
  second!.resolve();
  await stream.until(event => event.type === 'text_delta' && event.text.includes('lo'));
  expect(soFar('text_delta')).toBe('Hello');
  third!.resolve();
  expect(textOf(await stream.all())).toBe('Hello!');
});

test('[EV-2] [EV-3] [EV-4] [EV-9] [EV-10] sends the fields of every event in their order', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const task = { title: 'Look', status: 'pending' };
  upstream.next(
    {
      steps: [
        { thinking: 'Hm.' },
        { text: 'So.' },
        { call: { id: 'c', name: 'plan', input: { tasks: [task] } } },
      ],
    },
    says('Done.'),
  );
  const stream = await api.turn(chat.id, { text: 'Go.' });
  const events = await stream.all();
  const fields = Object.fromEntries(events.map(event => [event.type, Object.keys(event).join(' ')]));
  expect(fields).toEqual({
    turn: 'type turn_id waiting_for',
    thinking_delta: 'type text',
    text_delta: 'type text',
    tool_call: 'type id name input',
    tool_result: 'type id name output is_error',
    plan: 'type tasks',
    usage: 'type model prompt_tokens completion_tokens reasoning_tokens cached_tokens cost_usd',
    done: 'type turn_id status stop_reason message_ids usage',
    item_started: 'type item',
    item_delta: 'type item_id delta',
    item_completed: 'type item',
  });
  for (const { item } of eventsOf(events, 'item_completed')) {
    expect(Object.keys(item).slice(0, 5)).toEqual(['id', 'kind', 'status', 'turn_id', 'created_at']);
  }
});

test('[EV-3] makes the id of a call unique in its chat, whatever id the model gives', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  const again = calls('call_0', 'plan', { tasks: [] });
  upstream.next(again, again, says('Done.'), again, says('Done.'));
  await api.say(chat.id, '1');
  await api.say(chat.id, '2');
  const ids = (await api.items(chat.id)).flatMap(item => (item.kind === 'tool_call' ? [item.call_id] : []));
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
  expect(upstream.requests.filter(request => request.rejected)).toEqual([]);
});

test('[EV-11] sends each step in both sets, the original first', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(
    { steps: [{ text: 'So.' }, { call: { id: 'c', name: 'think_harder', input: {} } }] },
    says('Hm.'),
  );
  const events = await api.say(chat.id, 'Go.');
  expect(events.map(event => event.type)).toEqual([
    'turn',
    'item_started',
    'text_delta',
    'item_delta',
    'item_completed',
    'tool_call',
    'item_started',
    'usage',
    'tool_result',
    'item_completed',
    'item_started',
    'text_delta',
    'item_delta',
    'item_completed',
    'usage',
    'done',
  ]);
});

test('[EV-10] reports how the model ended, and completes the turn at a length limit', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  for (const [finish, stop_reason] of [
    ['length', 'length'],
    ['content_filter', 'content_filter'],
  ] as const) {
    upstream.next({ steps: [{ text: 'cut' }], finish });
    const events = await api.say(chat.id, 'Go.');
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed', stop_reason });
  }
});

test('[SVC-1] [EV-10] ends the turn if the model returns nothing', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next({ steps: [] });
  const events = await api.say(chat.id, 'Go.');
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(textOf(await api.say(chat.id, 'And?'))).toBe('ok');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});
