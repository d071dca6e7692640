/** Items: what a client draws, live and read back. */
import type { Message } from '@chat-kernel/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PNG } from '../harness/pictures.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

const THINK = { thinking: ['Let', ' me'] };
const CALL = { call: { id: 'call_1', name: 'plan', input: { tasks: [] } } };

test('[ITEM-1] [ITEM-2] [ITEM-4] history shows a turn as items, a result inside its call, numbered in messages', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [THINK, { text: 'Look.' }, CALL] }, says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.all();
  const [, first, , second] = (await client.listMessages(chat.id)).messages as [
    Message,
    Message,
    Message,
    Message,
  ];
  const ended = { status: 'completed', turn_id: stream.turnId };
  expect(await client.items(chat.id)).toEqual([
    {
      id: `${stream.messageId}:0`,
      kind: 'user_message',
      ...ended,
      created_at: expect.any(String),
      text: 'Go.',
      attachments: [],
      master: true,
      message_id: stream.messageId,
    },
    { id: `${first.id}:0`, kind: 'thinking', ...ended, created_at: first.created_at, text: 'Let me' },
    { id: `${first.id}:1`, kind: 'agent_message', ...ended, created_at: first.created_at, text: 'Look.' },
    {
      id: `${first.id}:2`,
      kind: 'tool_call',
      ...ended,
      created_at: first.created_at,
      call_id: 'call_1',
      name: 'plan',
      input: { tasks: [] },
      output: 'The plan is closed.',
      is_error: false,
    },
    { id: `${second.id}:0`, kind: 'agent_message', ...ended, created_at: second.created_at, text: 'Done.' },
  ]);
});

test('[ITEM-1] the document knows nine kinds and four statuses', async () => {
  const document = await kernel.api.document();
  expect(Object.keys(document.schema('Item').discriminator.mapping)).toEqual([
    'user_message',
    'agent_message',
    'thinking',
    'tool_call',
    'client_op',
    'image',
    'compaction',
    'machine_note',
    'plan',
  ]);
  expect(document.schema('ItemStatus').enum).toEqual(['running', 'completed', 'failed', 'aborted']);
});

test('[ITEM-8] an item begins with all that is needed to draw it, grows by deltas, and ends with its final state', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [THINK, { text: ['Lo', 'ok.'] }, CALL] }, says('Done.'));
  const events = await client.say(chat.id, 'Go.');
  const began = eventsOf(events, 'item_started').map(event => event.item);
  const ended = eventsOf(events, 'item_completed').map(event => event.item);
  expect(began.map(item => [item.kind, item.status])).toEqual([
    ['thinking', 'running'],
    ['agent_message', 'running'],
    ['tool_call', 'running'],
    ['agent_message', 'running'],
  ]);
  expect(began[0]).toMatchObject({ text: '' });
  expect(began[2]).toMatchObject({ call_id: 'call_1', name: 'plan', input: { tasks: [] }, is_error: false });
  expect(began[2]).not.toHaveProperty('output');
  expect(ended.map(item => [item.id, item.status])).toEqual(began.map(item => [item.id, 'completed']));
  expect(ended[1]).toMatchObject({ kind: 'agent_message', text: 'Look.' });
  expect(ended[2]).toMatchObject({ output: 'The plan is closed.', is_error: false });
  for (const { delta } of eventsOf(events, 'item_delta')) {
    expect(Object.keys(delta)).toEqual(['type', 'text']);
  }
});

test('[ITEM-4] live items are numbered inside their turn, from 0 and without gaps', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [THINK, { text: 'Look.' }, CALL] }, says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const ids = foldItems(await stream.all()).map(item => item.id);
  expect(ids).toEqual([0, 1, 2, 3].map(n => `${stream.turnId}:${n}`));
});

test('[ITEM-8] a step that failed is failed, one that was cancelled is aborted', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('call_1', 'no_such_tool', {}), stuck({ text: 'Oh' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  const items = foldItems(await stream.all());
  expect(items.map(item => [item.kind, item.status])).toEqual([
    ['tool_call', 'failed'],
    ['agent_message', 'aborted'],
    ['machine_note', 'completed'],
  ]);
  expect(comparable(items)).toEqual(comparable(await client.items(chat.id)));
});

test('[ITEM-3] a machine note names its fragment, and a model never reads it', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(stuck({ text: 'Oh' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  await client.cancelTurn(chat.id);
  await stream.all();
  upstream.next({ error: 'bad_request' });
  await client.say(chat.id, 'Again.');
  const notes = (await client.items(chat.id)).filter(item => item.kind === 'machine_note');
  expect(notes).toMatchObject([
    { note: 'turn_cancelled', text: '[cancelled] This turn was cancelled.' },
    { note: 'turn_failed', text: expect.stringMatching(/^\[failed\] This turn ended with an error\. /) },
  ]);
  const document = await api.document();
  expect(document.schema('MachineNoteItem').properties.note.enum).toEqual([
    'fork_marker',
    'turn_cancelled',
    'turn_failed',
    'kernel_restarted',
    'woken',
    'spend_cap_near',
    'blocked',
    'imported',
  ]);

  await client.say(chat.id, 'Third.');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toMatch(/\[cancelled\] This turn|\[failed\]/);
});

test('[ITEM-5] [ITEM-6] what the user said stands in history alone, its image with its bytes', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const data = PNG.toString('base64');
  const stream = await client.begin(chat.id, { text: 'See.', images: [{ media_type: 'image/png', data }] });
  const events = await stream.all();
  expect(JSON.stringify(events)).not.toContain('user_message');
  expect(JSON.stringify(events)).not.toContain('See.');
  const [said, ...others] = await client.items(chat.id);
  expect(said).toMatchObject({
    kind: 'user_message',
    text: 'See.',
    attachments: [{ kind: 'image', media_type: 'image/png', data }],
  });
  expect(others.map(item => item.kind)).not.toContain('client_op');
});

test('[ITEM-10] [ITEM-11] live, replayed, read back and repeated, a turn is the same items', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  const gate = Promise.withResolvers<void>();
  upstream.next(
    {
      steps: [THINK, { text: 'Look.' }, CALL, { call: { id: 'call_2', name: 'nothing', input: { a: [1] } } }],
    },
    { steps: [{ text: ['So', ' it', ' is.'] }, { wait: gate.promise }] },
  );
  const stream = await api.turn(chat.id, { text: 'Go.' }, { 'idempotency-key': 'same' });
  await stream.until(event => event.type === 'text_delta' && event.text.startsWith('So'));
  const watching = await client.watch(chat.id);
  gate.resolve();
  const live = foldItems(await stream.all());
  const replayed = foldItems(await watching.all());
  const repeated = foldItems(
    await (await api.turn(chat.id, { text: 'Go.' }, { 'idempotency-key': 'same' })).all(),
  );
  expect(live.map(item => item.kind)).toEqual([
    'thinking',
    'agent_message',
    'tool_call',
    'tool_call',
    'agent_message',
  ]);
  expect(replayed).toEqual(live);
  expect(repeated).toEqual(live);
  expect(comparable(await client.items(chat.id))).toEqual(comparable(live));
  const turns = new Set((await client.items(chat.id)).map(item => item.turn_id));
  expect([...turns]).toEqual([stream.turnId]);
});

test('[ITEM-10] while a turn runs, history shows its finished steps, and a call that waits as running', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('call_1', 'plan', { tasks: [] }), stuck({ text: 'And' }));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await stream.until('text_delta');
  expect((await client.items(chat.id)).map(item => [item.kind, item.status])).toEqual([
    ['user_message', 'completed'],
    ['tool_call', 'completed'],
  ]);
  await client.cancelTurn(chat.id);
  await stream.all();
});
