/** Tests that unreadable rows of the database are shown as damaged, and everything else stays readable (SAFE-2). */
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const SENTENCE = '[unreadable] This message is damaged in the database and cannot be shown.';
const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: directory.path });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

function change(sql: string, ...values: string[]): void {
  const database = new DatabaseSync(`${directory.path}/chat-kernel.db`, { timeout: 5000 });
  expect(database.prepare(sql).run(...values).changes).toBe(1);
  database.close();
}
const damage = (id: string, content: string) =>
  change('update messages set content = ? where id = ?', content, id);

/** A chat of two turns whose first answer is damaged. */
async function damagedChat(content: string, word = 'first') {
  const { client, upstream } = kernel;
  upstream.next(says(`${word} answer`), says('second answer'));
  const chat = await client.createChat();
  await client.say(chat.id, 'one');
  await client.say(chat.id, 'two');
  const { messages } = await client.listMessages(chat.id);
  const id = messages[1]!.id;
  damage(id, content);
  return { chat, id };
}

test.each([
  ['cut off', '[{"type":"text","te'],
  ['not a list', '{"type":"text","text":"x"}'],
  ['a block of an unknown type', '[{"type":"tExt","text":"x"}]'],
  ['a block without its text', '[{"type":"text","tExt":"x"}]'],
  ['a call without its input', '[{"type":"tool_use","id":"c1","name":"shell","input":"x"}]'],
  ['a result without its flag', '[{"type":"tool_result","tool_use_id":"c1","output":"x"}]'],
  ['an empty block', '[null]'],
])('[SAFE-2] shows a message with damaged content (%s) as damaged', async (_, content) => {
  const { chat, id } = await damagedChat(content);
  const { status, body } = await kernel.api.get(`/v1/chats/${chat.id}/items`);
  expect(status).toBe(200);
  expect(body.items).toMatchObject([
    { kind: 'user_message', text: 'one' },
    { id: `${id}:0`, kind: 'machine_note', note: 'message_unreadable', status: 'completed', text: SENTENCE },
    { kind: 'user_message', text: 'two' },
    { kind: 'agent_message', text: 'second answer' },
  ]);
  const { messages } = await kernel.client.listMessages(chat.id);
  expect(messages[1]).toMatchObject({ id, role: 'assistant', content: [{ type: 'text', text: SENTENCE }] });
});

test('[SAFE-2] skips a damaged message in search, export, forks and further turns', async () => {
  const { chat } = await damagedChat('[{"type":"text","te', 'ptarmigan');
  const { api, client, upstream } = kernel;
  const { messages } = await client.listMessages(chat.id);
  expect(await api.get('/v1/search?q=ptarmigan')).toMatchObject({ status: 200, body: { results: [] } });
  expect((await api.get('/v1/search?q=answer')).status).toBe(200);
  const jsonl = await api.get(`/v1/chats/${chat.id}/export?format=jsonl`);
  expect(jsonl.status).toBe(200);
  expect(String(jsonl.body)).toContain('[unreadable]');
  const branch = await client.forkChat(chat.id, { before_message: messages[2]!.id });
  upstream.next(says('third answer'));
  expect((await client.say(branch.id, 'three')).at(-1)).toMatchObject({ status: 'completed' });
  const asked = JSON.stringify(upstream.requests.at(-1)?.body);
  expect(asked).toContain('one');
  expect(asked).not.toContain('[unreadable]');
  // Computed from the damaged row, which is never overwritten.
  expect((await client.items(chat.id)).filter(({ kind }) => kind === 'machine_note')).toHaveLength(1);
});

test('[SAFE-2] lists and returns a chat with damaged settings', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  for (const column of ['toolset', 'plan', 'notebook', 'summary'])
    change(`update chats set ${column} = '{"a' where id = ?`, chat.id);
  const { status, body } = await api.get('/v1/chats');
  expect(status).toBe(200);
  expect(body.chats).toContainEqual(expect.objectContaining({ id: chat.id }));
  expect((await api.get(`/v1/chats/${chat.id}`)).status).toBe(200);
});

/** The tables that a kernel lists, with their columns of JSON. Each gets one row in which all of these are damaged. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  approvals: ['command', 'workdir', 'client_id', 'hands', 'prefix'],
  decisions: ['record'],
  hands: ['client_id', 'record'],
  memory: ['record'],
  memory_proposals: ['record'],
  modules: ['declaration', 'approved_declaration'],
  persons: ['name'],
  person_ids: ['surface', 'external_id'],
  push_subscriptions: ['record'],
  schedules: ['record'],
  subscriptions: ['record'],
  video_history: ['record'],
};
const PAST = '2026-01-01T00:00:00.000Z';
const NIL = '00000000-0000-0000-0000-000000000000';

function addDamagedRows(chatId: string, path: string): void {
  const database = new DatabaseSync(path);
  for (const [table, json] of Object.entries(LISTED)) {
    const columns = database.prepare(`pragma table_info(${table})`).all() as { name: string; type: string }[];
    const createValue = ({ name, type }: { name: string; type: string }) => {
      if (json.includes(name)) return '{"a';
      if (name === 'chat_id') return chatId;
      if (name.endsWith('_at')) return PAST;
      return /int/i.test(type) ? 1 : NIL;
    };
    database
      .prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`)
      .run(...columns.map(createValue));
  }
  database.close();
}

test('[SAFE-2] a kernel starts with damaged rows, and lists all others', async () => {
  const own = temporaryDirectory();
  const first = await startKernel({ dataDir: own.path });
  const chat = await first.client.createChat();
  const { body: entry } = await first.api.post('/v1/memory', { text: 'Likes tea.' });
  const { body: person } = await first.api.post('/v1/persons/resolve', { surface: 'x', external_id: 'y' });
  const { body: schedule } = await first.api.post('/v1/schedules', { text: 'Hi.', cron: '0 7 * * *' });
  await first.stop();
  addDamagedRows(chat.id, `${own.path}/chat-kernel.db`);

  const { api, client, upstream, stop } = await startKernel({ dataDir: own.path });
  const list = async (path: string) => {
    const { status, body } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return (Object.values(body).find(Array.isArray) as { id?: string }[]).map(({ id }) => id);
  };
  expect(await list('/v1/memory')).toEqual([entry.id]);
  expect(await list('/v1/schedules')).toEqual([schedule.id]);
  // A person whose name is damaged keeps its rights.
  expect(await list('/v1/persons')).toEqual([NIL, person.id]);
  for (const path of [
    '/v1/approvals',
    '/v1/decisions',
    '/v1/hands',
    '/v1/modules',
    '/v1/push/subscriptions',
    '/v1/video/history',
    '/v1/video/subscriptions',
  ])
    expect([path, await list(path)]).toEqual([path, []]);
  upstream.next(says('Hello.'));
  expect((await client.say(chat.id, 'Hi.')).at(-1)).toMatchObject({ status: 'completed' });
  // Deleting a chat also changes its schedules.
  expect((await api.delete(`/v1/chats/${chat.id}`)).status).toBe(200);
  await stop();
  own.remove();
});

/** A chat whose only turn has this status and a damaged record, at a kernel that was started with it. */
async function damagedTurn(status: 'running' | 'queued') {
  const own = temporaryDirectory();
  const before = await startKernel({ dataDir: own.path });
  const chat = await before.client.createChat();
  before.upstream.next(says('one'));
  await before.client.say(chat.id, 'Hi.');
  const { messages } = await before.client.listMessages(chat.id);
  const id = messages[0]!.turn_id as string;
  await before.stop();
  const database = new DatabaseSync(`${own.path}/chat-kernel.db`);
  database.prepare('update turns set status = ?, ended_at = null where id = ?').run(status, id);
  for (const column of ['effort', 'usage', 'error', 'parameters', 'checkpoint', 'sleep'])
    database.prepare(`update turns set ${column} = '{"a' where id = ?`).run(id);
  if (status === 'queued') {
    database.exec("delete from messages where role = 'assistant'; update messages set position = null");
    database.exec('update chats set last_position = 0');
  }
  database.close();
  const upstream = await startUpstream();
  upstream.next(says('two'));
  const after = await startKernel({ dataDir: own.path, upstream });
  onTestFinished(async () => {
    await upstream.close();
    await after.stop();
    own.remove();
  });
  const turn = async () => (await after.api.get(`/v1/chats/${chat.id}/turns/${id}`)).body;
  return { ...after, id, turn, chat };
}

test('[SAFE-2] closes and shows a turn whose record is damaged', async () => {
  const { id, turn, chat, client } = await damagedTurn('running');
  expect(await turn()).toMatchObject({ id, status: 'failed', error: { code: 'kernel_restarted' } });
  expect((await client.items(chat.id))[0]).toMatchObject({ text: 'Hi.' });
});

test('[SAFE-2] [WHO-1] a waiting turn whose speaker is damaged runs without rights', async () => {
  const { turn, upstream } = await damagedTurn('queued');
  await expect.poll(turn, { timeout: 20_000 }).toMatchObject({ status: 'completed' });
  const { body } = upstream.requests.at(-1)!;
  const names = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(names).not.toContain('shell');
  expect(names).not.toContain('notebook');
});
