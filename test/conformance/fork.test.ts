/** Tests forks: a new chat with the messages before a given one, and all settings of the original. */
import type { CreateChat } from '@chat-kernel/client';
import type { Chat, Message } from '@chat-kernel/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PNG } from '../harness/pictures.ts';
import { append, foldedAt, seed, seedChat } from '../harness/seed.ts';
import { calls, says, stuck, textOf } from '../harness/story.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';
const TASKS = [{ title: 'Look', status: 'in_progress' }];

const directory = temporaryDirectory();
let kernel: TestKernel;
/** Seven messages; two were compacted after the fourth, and five after the sixth. */
let folded: { chat: string; ids: string[] };
beforeAll(async () => {
  const dataDir = directory.path;
  folded = await seed(dataDir, async store => {
    const { chat, ids } = await seedChat(store, [
      ['user', 'one'],
      ['assistant', 'two'],
      ['user', 'three'],
      ['assistant', 'four'],
    ]);
    ids.push(...(await append(store, chat, [foldedAt('one and two', ids[1] as string)])));
    ids.push(
      ...(await append(store, chat, [
        ['user', 'five'],
        ['assistant', 'six'],
      ])),
    );
    const upto_message = ids[5] as string;
    ids.push(...(await append(store, chat, [foldedAt('one to five', upto_message), ['user', 'seven']])));
    const created_at = '2026-01-02T03:04:05.678Z';
    await store.chats.update(chat, {
      summary: { text: 'one to five, by hand', upto_message, created_at },
      context_tokens: 50,
    });
    return { chat, ids };
  });
  kernel = await startKernel({ dataDir });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

const messagesOf = async (chat: string): Promise<Message[]> =>
  (await kernel.client.listMessages(chat, { limit: 500 })).messages;
const fork = async (chat: string, before_message: string, more: object = {}): Promise<Chat> => {
  const { status, body } = await kernel.api.post(`/v1/chats/${chat}/fork`, { before_message, ...more });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
};
/** Returns the fields of messages that a copy shares. */
const copied = (messages: Message[]) => messages.map(({ id: _, chat_id: __, ...rest }) => rest);

/** Creates a chat of two turns, and a branch of it before the second. */
async function branched() {
  const { client, upstream } = kernel;
  const chat = await client.createChat({ title: 'Trip' });
  upstream.next(calls('call_1', 'plan', { tasks: TASKS }), says('Planned.'));
  await client.say(chat.id, 'First.');
  const second = await client.begin(chat.id, { text: 'Second.' });
  await second.all();
  const before = [await client.getChat(chat.id), await messagesOf(chat.id)];

  return { chat, second, before, branch: await fork(chat.id, second.messageId) };
}

test('[FORK-1] copies the messages before the given one, and leaves the parent unchanged', async () => {
  const { client, upstream } = kernel;
  const { chat, before, branch } = await branched();
  expect([await client.getChat(chat.id), await messagesOf(chat.id)]).toEqual(before);

  const [, ...copy] = await messagesOf(branch.id);
  const parent = await messagesOf(chat.id);
  expect(copied(copy)).toEqual(copied(parent.slice(0, 4)));
  expect(copy.every(({ chat_id }) => chat_id === branch.id)).toBe(true);
  expect(new Set([...copy, ...parent].map(({ id }) => id)).size).toBe(copy.length + parent.length);
  for (const { turn_id } of copy) {
    expect(await client.getTurn(branch.id, turn_id as string)).toEqual(
      await client.getTurn(chat.id, turn_id as string),
    );
  }
  // The branch knows those turns of its parent of which it has messages.
  const cut = await kernel.api.get(`/v1/chats/${branch.id}/turns/${parent.at(-1)?.turn_id}`);
  expect(cut.status).toBe(404);

  await client.say(branch.id, 'Another second.');
  const asked = upstream.requests.at(-1);
  expect(asked?.rejected).toBeUndefined();
  const told = JSON.stringify(asked?.body.messages);
  expect(told).toMatch(/First.*Planned.*Another second/);
  expect(told).not.toMatch(/"Second/);
});

test('[FORK-4] stores the parent and the message in the branch, and starts it with its marker', async () => {
  const { client } = kernel;
  const { chat, second, branch } = await branched();
  expect(branch).toMatchObject({
    title: 'Trip',
    forked_from: chat.id,
    forked_at_message: second.messageId,
    summary: null,
    turn: null,
  });
  expect(branch.id).not.toBe(chat.id);
  expect(await client.getChat(branch.id)).toEqual(branch);
  const items = await client.items(branch.id);
  expect(items[0]).toMatchObject({
    kind: 'machine_note',
    note: 'fork_marker',
    status: 'completed',
    turn_id: null,
  });
  expect(items.map(item => item.kind)).toEqual([
    'machine_note',
    'user_message',
    'tool_call',
    'agent_message',
  ]);
});

test('[MARK-2] starts a branch with a message that begins with [forked] and is hidden from models', async () => {
  const { client, upstream } = kernel;
  const { chat, branch } = await branched();
  const [marker] = await messagesOf(branch.id);
  expect(marker).toMatchObject({ chat_id: branch.id, role: 'user', turn_id: null, master: true });
  expect(marker?.content).toEqual([{ type: 'text', text: expect.stringMatching(/^\[forked\] /) }]);
  expect(JSON.stringify(marker?.content)).toContain(chat.id);
  await client.say(branch.id, 'Another second.');
  expect(JSON.stringify(upstream.requests.at(-1)?.body)).not.toContain('forked');
});

test('[FORK-2] copies all settings and data of the parent, and uses a given title', async () => {
  const { client, upstream } = kernel;
  const given = {
    title: 'Trip',
    workdir: '/home/me/trip',
    workdir_on: 'server',
    shelf: 'travel',
    project: 'lisbon',
    model: 'scripted/plain',
    effort: 'high',
    toolset: { loaded: ['a'], disabled: ['b'] },
    compaction: 'tight',
  } satisfies CreateChat;
  const chat = await client.createChat(given);
  upstream.next(calls('call_1', 'plan', { tasks: TASKS }), says('Planned.'));
  const stream = await client.begin(chat.id, { text: 'Plan.' });
  await stream.all();
  const notes = await client.setNotebook(chat.id, { text: 'Pack light.' });
  const branch = await fork(chat.id, stream.messageId, { title: 'Another trip' });
  expect(branch).toMatchObject({ ...given, title: 'Another trip' });
  expect(await client.getNotebook(branch.id)).toEqual(notes);
  expect(await client.getPlan(branch.id)).toEqual({ tasks: TASKS });
  // From this point the chats are independent.
  await client.setNotebook(branch.id, { text: 'Pack nothing.' });
  await client.erasePlan(branch.id);
  expect((await client.getNotebook(chat.id)).text).toBe('Pack light.');
  expect(await client.getPlan(chat.id)).toEqual({ tasks: TASKS });
});

test('[FORK-2] copies the summary if its last message is in the copy, else the one before it', async () => {
  const { chat, ids } = folded;
  const at = async (index: number) => {
    const branch = await fork(chat, ids[index] as string);
    const { summary } = branch;
    if (summary === null) return null;
    const copy = await messagesOf(branch.id);
    // The summary names a message of the branch, whose positions are one higher because of the marker.
    return [summary.text, copy.findIndex(({ id }) => id === summary.upto_message) - 1];
  };
  expect(await at(8)).toEqual(['one to five, by hand', 5]);
  // The marker of the compaction is not in the copy; the last message that it covers is.
  expect(await at(7)).toEqual(['one to five, by hand', 5]);
  expect(await at(6)).toEqual(['one to five, by hand', 5]);
  expect(await at(5)).toEqual(['one and two', 1]);
  expect(await at(4)).toBeNull();
  expect(await at(1)).toBeNull();
  // The branch can fall back to the older compaction.
  const branch = await fork(chat, ids[8] as string);
  const copy = await messagesOf(branch.id);
  await kernel.client.rewind(branch.id, copy[6]!.id);
  expect((await kernel.client.getChat(branch.id)).summary).toMatchObject({
    text: 'one and two',
    upto_message: copy[2]?.id,
  });
});

test('[FORK-3] closes calls that the cut left open as a cancel would', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const plan = (id: string) => ({ call: { id, name: 'plan', input: { tasks: [] } } });
  upstream.next({ steps: [{ text: 'Two.' }, plan('a'), plan('b')] }, says('Done.'));
  await client.say(chat.id, 'Go.');
  const [, , results] = await messagesOf(chat.id);
  const branch = await fork(chat.id, results?.id as string);
  const messages = await messagesOf(branch.id);
  expect(messages.at(-1)).toMatchObject({
    role: 'user',
    status: 'aborted',
    turn_id: results?.turn_id,
    content: ['a', 'b'].map(tool_use_id => ({
      type: 'tool_result',
      tool_use_id,
      output: SYNTHETIC,
      is_error: true,
    })),
  });
  expect(messages).toHaveLength(4);
  const drawn = (await client.items(branch.id)).filter(item => item.kind === 'tool_call');
  expect(drawn).toMatchObject(
    ['a', 'b'].map(call_id => ({ call_id, status: 'aborted', output: SYNTHETIC, is_error: true })),
  );
  await client.say(branch.id, 'Go on.');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
});

test('[FORK-1] forks a parent during its turn without disturbing the turn', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'First.');
  upstream.next(calls('call_1', 'plan', { tasks: [] }), stuck({ text: 'Well' }));
  const stream = await client.begin(chat.id, { text: 'Second.' });
  await stream.until('text_delta');
  const branch = await fork(chat.id, stream.messageId);
  expect(branch.turn).toBeNull();
  expect(await messagesOf(branch.id)).toHaveLength(3);
  // In the middle of the messages that the running turn has stored.
  const result = (await messagesOf(chat.id)).at(-1) as Message;
  const inside = await fork(chat.id, result.id);
  expect((await client.items(inside.id)).at(-1)).toMatchObject({ kind: 'tool_call', status: 'aborted' });
  expect(textOf(await client.say(inside.id, 'And?'))).not.toBe('');
  expect((await client.getChat(chat.id)).turn).toMatchObject({ status: 'running' });
  await client.cancelTurn(chat.id);
  await stream.all();
});

test('[FORK-5] [MARK-2] gives a branch of a branch only its own marker', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  await client.say(chat.id, 'First.');
  const second = await client.begin(chat.id, { text: 'Second.' });
  await second.all();
  const branch = await fork(chat.id, second.messageId);
  const third = await client.begin(branch.id, { text: 'Third.' });
  await third.all();
  const twig = await fork(branch.id, third.messageId);
  expect(twig).toMatchObject({ forked_from: branch.id, forked_at_message: third.messageId });
  const kinds = (await client.items(twig.id)).map(item => item.kind);
  expect(kinds).toEqual(['machine_note', 'user_message', 'agent_message']);
  expect(JSON.stringify((await messagesOf(twig.id))[0]?.content)).toContain(branch.id);
  // A branch from before its marker, or before its first message, is empty.
  const [marker, first] = await messagesOf(branch.id);
  for (const { id } of [marker, first] as Message[]) {
    expect(await client.items((await fork(branch.id, id)).id)).toMatchObject([{ note: 'fork_marker' }]);
  }
  // A branch that was rewound to its start has no marker to leave out.
  await client.rewind(branch.id, marker!.id);
  const anew = await client.begin(branch.id, { text: 'Anew.' });
  await anew.all();
  const last = (await messagesOf(branch.id)).at(-1) as Message;
  expect((await client.items((await fork(branch.id, last.id)).id)).map(item => item.kind)).toEqual([
    'machine_note',
    'user_message',
  ]);
});

test('[FORK-5] keeps a branch with its images and files after its parent is deleted, and counts its cost separately', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  const file = (
    await api.raw('/v1/files', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'x-file-name': 'a.txt' },
      body: 'hello',
    })
  ).body;
  await client.say(chat.id, 'See.', {
    images: [{ media_type: 'image/png', data: PNG.toString('base64') }],
    files: [{ id: file.id }],
  });
  upstream.next({ steps: [{ text: 'Drawn.' }, { image: { media_type: 'image/png', bytes: PNG } }] });
  await client.say(chat.id, 'Draw.');
  const last = await client.begin(chat.id, { text: 'Last.' });
  await last.all();
  const branch = await fork(chat.id, last.messageId);
  const spent = await client.getSpend(branch.id);
  expect(spent).toMatchObject({ turns: 0, prompt_tokens: 0, cost_usd: 0, prefix_tokens: 0, by_model: [] });
  const items = await client.items(branch.id);
  expect((await api.delete(`/v1/chats/${chat.id}`)).status).toBe(200);
  expect(await client.items(branch.id)).toEqual(items);
  expect(JSON.stringify(items)).toContain(PNG.toString('base64'));
  expect((await api.get(`/files/${file.id}`)).status).toBe(200);
  for (const item of items) if (item.kind === 'image') expect((await api.get(item.url)).body).toEqual(PNG);
  await client.say(branch.id, 'Go on.');
  expect(upstream.requests.at(-1)?.rejected).toBeUndefined();
  expect((await client.getSpend(branch.id)).turns).toBe(1);
  await client.deleteChat(branch.id);
  expect((await api.raw(`/files/${file.id}`, { method: 'GET' })).status).toBe(404);
});

test('[FORK-5] [TURN-12] reads the turns of every branch after its parent was deleted', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const first = await client.begin(chat.id, { text: 'First.' });
  await first.all();
  const last = await client.begin(chat.id, { text: 'Last.' });
  await last.all();
  const one = await fork(chat.id, last.messageId);
  const two = await fork(chat.id, last.messageId);
  const own = await client.begin(one.id, { text: 'Own.' });
  await own.all();
  const ofOne = await fork(one.id, own.messageId);
  const branches = [one, two, ofOne];
  const before = await client.getTurn(one.id, first.turnId);
  const { turns } = await client.getStats();
  // Delete the oldest first, so that the owner of the turn changes each time.
  for (const gone of [chat, one, two]) {
    await client.deleteChat(gone.id);
    for (const branch of branches.filter(({ id }) => id !== gone.id)) {
      const items = await client.items(branch.id);
      expect(items.filter(({ turn_id }) => turn_id === first.turnId)).toHaveLength(2);
      expect({ ...(await client.getTurn(branch.id, first.turnId)), chat_id: '' }).toEqual({
        ...before,
        chat_id: '',
      });
    }
    branches.splice(0, branches.length, ...branches.filter(({ id }) => id !== gone.id));
  }
  // Turns that no branch references were deleted with their chat, and each was counted once.
  await expect(client.getTurn(ofOne.id, last.turnId)).rejects.toMatchObject({ status: 404 });
  expect((await client.getStats()).turns).toEqual(turns);
});

test('[FORK-1] returns 404 for an unknown message and one of another chat, and 422 for a malformed id', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const other = await client.begin((await client.createChat()).id, { text: 'Hi.' });
  await other.all();
  const path = `/v1/chats/${chat.id}/fork`;
  for (const before_message of [UNKNOWN, other.messageId]) {
    const { status, body } = await api.post(path, { before_message });
    expect([status, body.code]).toEqual([404, 'not_found']);
  }
  for (const body of [{}, { before_message: 'first' }, { before_message: UNKNOWN, title: '' }]) {
    expect((await api.post(path, body)).status).toBe(422);
  }
  expect((await api.post(`/v1/chats/${UNKNOWN}/fork`, { before_message: UNKNOWN })).status).toBe(404);
});

test('[FORK-6] offers the model no tool that forks', async () => {
  const { client, upstream } = kernel;
  await client.say((await client.createChat()).id, 'Hi.', { client_ops: true });
  const tools = JSON.stringify(upstream.requests.at(-1)?.body.tools);
  expect(tools).toContain('"notebook"');
  expect(tools).not.toMatch(/fork|branch/i);
});
