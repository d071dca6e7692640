/** Tests items, which clients draw, in the stream and in history. */
import type { Message } from '@chat-kernel/client';
import { expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { PNG } from '../harness/pictures.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, says, stuck } from '../harness/story.ts';

const kernel = sharedKernel();

const THINK = { thinking: ['Let', ' me'] };
const CALL = { call: { id: 'call_1', name: 'plan', input: { tasks: [] } } };

test('[ITEM-1] [ITEM-4] returns a turn from history as items numbered in messages, each call with its result', async () => {
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
  const { model, usage } = second;
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
    {
      id: `${first.id}:1`,
      kind: 'agent_message',
      ...ended,
      created_at: first.created_at,
      text: 'Look.',
      model,
    },
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
    {
      id: `${second.id}:0`,
      kind: 'agent_message',
      ...ended,
      created_at: second.created_at,
      text: 'Done.',
      model,
      usage,
    },
  ]);
});

test('[ITEM-2] puts the result into its call, live and in history, never into an item of its own', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [CALL] }, says('Done.'));
  const live = foldItems(await client.say(chat.id, 'Go.'));
  const history = await client.items(chat.id);
  // Messages store the result separately from its call, as models read it.
  expect((await client.listMessages(chat.id)).messages).toHaveLength(4);
  for (const items of [live, history.slice(1)]) {
    expect(items).toMatchObject([
      { kind: 'tool_call', call_id: 'call_1', output: 'The plan is closed.', is_error: false },
      { kind: 'agent_message', text: 'Done.' },
    ]);
  }
});

test('[ITEM-1] lists nine kinds, consent_request and four statuses in the document', async () => {
  const document = await kernel.api.document();
  expect(Object.keys(document.schema('Item').discriminator.mapping)).toEqual([
    'user_message',
    'agent_message',
    'thinking',
    'tool_call',
    'client_op',
    'consent_request',
    'image',
    'compaction',
    'machine_note',
    'plan',
  ]);
  expect(document.schema('ItemStatus').enum).toEqual(['running', 'completed', 'failed', 'aborted']);
});

test('[ITEM-8] starts an item with everything needed to render it, extends it by deltas, and ends it with its final state', async () => {
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

test('[ITEM-4] numbers live items inside their turn, from 0 without gaps', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next({ steps: [THINK, { text: 'Look.' }, CALL] }, says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const ids = foldItems(await stream.all()).map(item => item.id);
  expect(ids).toEqual([0, 1, 2, 3].map(n => `${stream.turnId}:${n}`));
});

test('[ITEM-8] marks a failed step as failed, and a canceled one as aborted', async () => {
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

test('[ITEM-3] names the fragment of a machine note, and hides it from the model', async () => {
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
    'reply_filtered',
    'reply_truncated',
    'reply_empty',
    'request_repaired',
    'content_unread',
    'message_unreadable',
    'woken',
    'spend_cap_near',
    'context_full',
    'blocked',
    'imported',
  ]);

  await client.say(chat.id, 'Third.');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toMatch(/\[cancelled\] This turn|\[failed\]/);
});

test('[ITEM-5] returns the user message only from history, its image with the bytes', async () => {
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

test('[ITEM-6] returns an attached image with its bytes, and an attached file only with name, size and address', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const sent = await api.raw('/v1/files', {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-file-name': 'a.txt' },
    body: Buffer.from('hello'),
  });
  const image = { media_type: 'image/png', data: PNG.toString('base64') } as const;
  await client.say(chat.id, 'See.', { images: [image], files: [{ id: sent.body.id }] });
  const [item] = await client.items(chat.id);
  expect(item).toMatchObject({
    attachments: [
      { kind: 'image', ...image },
      { kind: 'file', id: sent.body.id, name: 'a.txt', size: 5, media_type: 'text/plain' },
    ],
  });
  const [, file] = (item as { attachments: object[] }).attachments;
  expect(file).toMatchObject({ url: expect.stringMatching(new RegExp(`/files/${sent.body.id}$`)) });
  expect(file).not.toHaveProperty('data');
});

test('[ITEM-10] replaces the live items of a turn with the tail of /items after done', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'Before.');
  const earlier = (await client.items(chat.id)).map(({ id }) => id);
  upstream.next({ steps: [THINK, { text: 'Look.' }, CALL] }, says('Done.'));
  const stream = await client.begin(chat.id, { text: 'Go.' });
  const live = foldItems(await stream.all());
  const tail = (await client.items(chat.id)).filter(({ id }) => !earlier.includes(id));
  // The client's own message comes first; the ids are those of history, and the turn is the same.
  expect(tail[0]).toMatchObject({ kind: 'user_message', text: 'Go.' });
  expect(comparable(tail)).toEqual(comparable(live));
  expect(new Set(tail.map(({ turn_id }) => turn_id))).toEqual(new Set([stream.turnId]));
  expect(tail.some(({ id }) => live.some(item => item.id === id))).toBe(false);
});

test('[ITEM-11] returns the same items live, replayed, read back and repeated', async () => {
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

test('[ITEM-10] returns finished steps of a running turn from history, and a waiting call as running', async () => {
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
