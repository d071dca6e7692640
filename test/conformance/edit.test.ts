/** Tests retries, edits, rewinds and the versions that they keep (EDIT-1 to EDIT-7). */
import type { ChatVersions, Item, KernelEventOf, Message } from '@chat-kernel/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PATIENT } from '../harness/patient.ts';
import { PNG } from '../harness/pictures.ts';
import { calls, says, stuck } from '../harness/story.ts';

const directory = temporaryDirectory();
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel({ dataDir: directory.path });
});
afterAll(async () => {
  await kernel.stop();
  directory.remove();
});

const messagesOf = async (chat: string): Promise<Message[]> =>
  (await kernel.client.listMessages(chat, { limit: 500 })).messages;
const said = async (chat: string) =>
  (await messagesOf(chat)).map(({ content }) =>
    content.map(block => (block.type === 'text' ? block.text : block.type)).join(' '),
  );
const versionsOf = (chat: string): Promise<ChatVersions> => kernel.client.listVersions(chat);

/** A chat with two questions and answers; returns the ids of its user messages. */
async function talk() {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(says('First answer.'), says('Second answer.'));
  const first = await api.turn(chat.id, { text: 'First?' });
  await first.all();
  const second = await api.turn(chat.id, { text: 'Second?' });
  await second.all();
  return { id: chat.id, first: first.messageId, second: second.messageId };
}

test('[EDIT-1] sends the same message again, and keeps what stood there as a version', async () => {
  const { api, upstream } = kernel;
  const { id, second } = await talk();
  upstream.next(says('Another answer.'));
  const stream = await api.retry(id, second);
  const events = await stream.all();
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  expect(await said(id)).toEqual(['First?', 'First answer.', 'Second?', 'Another answer.']);
  const [message] = (await messagesOf(id)).filter(each => each.id === stream.messageId);
  expect(message?.id).not.toBe(second);
  // The model did not see the replaced answer.
  expect(JSON.stringify(upstream.requests.at(-1))).not.toContain('Second answer.');
  expect(await versionsOf(id)).toEqual({
    forks: [
      {
        inside: null,
        versions: [
          {
            id: second,
            first_message_id: second,
            created_at: expect.any(String),
            messages: 2,
            preview: 'Second?',
            model: 'scripted/plain',
            active: false,
          },
          {
            id: stream.messageId,
            first_message_id: stream.messageId,
            created_at: message?.created_at,
            messages: 2,
            preview: 'Second?',
            model: 'scripted/plain',
            active: true,
          },
        ],
      },
    ],
  });
});

test('[EDIT-1] [EDIT-3] replaces text, images and files as a whole, and marks the message', async () => {
  const { api, upstream } = kernel;
  const { id, first } = await talk();
  const images = [{ media_type: 'image/png' as const, data: PNG.toString('base64') }];
  upstream.next(says('A picture.'));
  const pictured = await api.retry(id, first, { text: 'Look:', images });
  await pictured.all();
  expect(await said(id)).toEqual(['Look: image', 'A picture.']);
  upstream.next(says('The same picture.'));
  const again = await api.retry(id, pictured.messageId, { model: 'scripted/plain' });
  await again.all();
  expect(await said(id)).toEqual(['Look: image', 'The same picture.']);
  expect((await messagesOf(id))[0]?.content[1]).toMatchObject({ type: 'image', data: images[0]?.data });
  upstream.next(says('No picture.'));
  const edited = await api.retry(id, again.messageId, { text: 'Nothing.' });
  await edited.all();
  expect(await said(id)).toEqual(['Nothing.', 'No picture.']);
  const ids = [first, pictured.messageId, again.messageId, edited.messageId];
  const [message, answer] = await messagesOf(id);
  expect(message?.versions).toEqual({ index: 4, count: 4, ids });
  expect(answer).not.toHaveProperty('versions');
  const items: Item[] = await api.items(id);
  expect(items[0]).toMatchObject({ kind: 'user_message', versions: { index: 4, count: 4, ids } });
  expect(items[1]).not.toHaveProperty('versions');
});

test('[EDIT-1] keeps who speaks, refuses to change it, and carries `outside` over', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next(says('Hello, Ann.'), says('Hello again.'));
  const stream = await api.turn(chat.id, { text: 'Hi.', sender: 'Ann' });
  await stream.all();
  for (const field of [{ sender: 'Bob' }, { guest: true }, { machine: 'none' }, { person_id: chat.id }]) {
    const answer = await api.post(`/v1/chats/${chat.id}/messages/${stream.messageId}/retry`, field);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: `/${Object.keys(field)[0]}` }] },
    });
  }
  const again = await api.retry(chat.id, stream.messageId);
  await again.all();
  expect((await messagesOf(chat.id))[0]).toMatchObject({ sender: 'Ann', master: false });
  upstream.next(says('A group.'), says('A group.'));
  const own = await api.turn(chat.id, { text: 'Who was that?', outside: ['telegram:group 42'] });
  await own.all();
  const retried = await api.retry(chat.id, own.messageId, { text: 'Who was it?' });
  await retried.all();
  const turn = await api.get(`/v1/chats/${chat.id}/turns/${retried.turnId}`);
  expect(turn.body.outside).toEqual(['message:Ann', 'telegram:group 42']);
});

test('[EDIT-1] refuses a message that began no turn, and a chat that runs', async () => {
  const { api, upstream } = kernel;
  const { id, first } = await talk();
  const answer = (await messagesOf(id))[1]?.id;
  const retry = (message: string | undefined) => api.post(`/v1/chats/${id}/messages/${message}/retry`, {});
  expect(await retry(answer)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await retry(id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  upstream.next(stuck());
  const running = await api.turn(id, { text: 'Third?' });
  expect(await retry(first)).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  const other = await api.post(`/v1/chats/${id}/versions/${first}/activate`);
  expect(other).toMatchObject({ status: 409, body: { code: 'turn_running' } });
  await api.post(`/v1/chats/${id}/cancel`);
  await running.all();
  upstream.next(says('Again.'));
  expect((await (await api.retry(id, first)).all()).at(-1)).toMatchObject({ status: 'completed' });
});

test('[EDIT-1] attaches a repeat with the same key to the turn of the first call', async () => {
  const { api, upstream } = kernel;
  const { id, second } = await talk();
  upstream.next(says('Once.'));
  const key = { 'idempotency-key': 'retry-1' };
  const stream = await api.retry(id, second, {}, key);
  await stream.all();
  const repeat = await api.retry(id, second, {}, key);
  expect([repeat.turnId, repeat.messageId]).toEqual([stream.turnId, stream.messageId]);
  await repeat.all();
  const other = await api.raw(`/v1/chats/${id}/messages/${second}/retry`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key },
    body: '{"text":"Other."}',
  });
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } });
  expect((await versionsOf(id)).forks[0]?.versions).toHaveLength(2);
});

test('[EDIT-2] [EDIT-4] switches between versions, which are in no page, search, fork or prompt', async () => {
  const { api, client, upstream } = kernel;
  const { id, first, second } = await talk();
  upstream.next(says('Cormorants.'));
  const inner = await api.retry(id, second, { text: 'Which birds?' });
  await inner.all();
  upstream.next(says('Beginning.'));
  const outer = await api.retry(id, first, { text: 'Start again.' });
  await outer.all();
  expect(await said(id)).toEqual(['Start again.', 'Beginning.']);
  expect((await client.search({ q: 'Cormorants' })).results).toEqual([]);
  expect((await versionsOf(id)).forks).toMatchObject([
    { inside: null, versions: [{ id: first }, { id: outer.messageId, active: true }] },
    {
      inside: first,
      versions: [
        { id: second, active: false },
        { id: inner.messageId, active: false },
      ],
    },
  ]);
  const fork = await api.post(`/v1/chats/${id}/fork`, { before_message: inner.messageId });
  expect(fork.status).toBe(404);

  const { forks } = await client.activateVersion(id, second);
  expect(forks).toMatchObject([
    {
      inside: null,
      versions: [
        { id: first, active: true },
        { id: outer.messageId, active: false },
      ],
    },
    {
      inside: null,
      versions: [
        { id: second, active: true },
        { id: inner.messageId, active: false },
      ],
    },
  ]);
  expect(await said(id)).toEqual(['First?', 'First answer.', 'Second?', 'Second answer.']);
  await client.activateVersion(id, inner.messageId);
  expect(await said(id)).toEqual(['First?', 'First answer.', 'Which birds?', 'Cormorants.']);
  expect((await client.search({ q: 'Cormorants' })).results).toHaveLength(1);
  upstream.next(says('Third answer.'));
  await api.say(id, 'Third?');
  const sent = JSON.stringify(upstream.requests.at(-1));
  expect([sent.includes('Cormorants.'), sent.includes('Second answer.')]).toEqual([true, false]);
  expect(await api.post(`/v1/chats/${id}/versions/${id}/activate`)).toMatchObject({ status: 404 });
});

test('[EDIT-4] exports versions as JSONL but not as Markdown, and a deletion takes those behind it', async () => {
  const { api, client, upstream } = kernel;
  const { id, first, second } = await talk();
  upstream.next(says('Puffins.'));
  const retried = await api.retry(id, second);
  await retried.all();
  const exported = async (format: string) =>
    (await fetch(`${kernel.url}/v1/chats/${id}/export?format=${format}`)).text();
  const lines = (await exported('jsonl'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.slice(1).map(({ kind, text, version }) => [kind, text, version])).toEqual([
    ['user_message', 'First?', undefined],
    ['agent_message', 'First answer.', undefined],
    ['user_message', 'Second?', undefined],
    ['agent_message', 'Puffins.', undefined],
    ['user_message', 'Second?', second],
    ['agent_message', 'Second answer.', second],
  ]);
  expect(await exported('md')).not.toContain('Second answer.');
  await client.rewind(id, retried.messageId);
  expect((await versionsOf(id)).forks).toMatchObject([{ versions: [{ id: second, active: false }] }]);
  await client.rewind(id, first);
  expect(await versionsOf(id)).toEqual({ forks: [] });
});

test('[EDIT-5] reports retries, other versions and rewinds to all clients', async () => {
  const { api, client, upstream } = kernel;
  const { id, second } = await talk();
  const events = await api.events();
  let count = 0;
  const changed = async () => {
    count++;
    const reported = () =>
      events.events.filter(
        (each): each is KernelEventOf<'history_changed'> =>
          each.type === 'history_changed' && each.chat_id === id,
      );
    await expect.poll(() => reported().length, PATIENT).toBe(count);
    return reported().at(-1)?.from_message_id;
  };
  upstream.next(says('Again.'));
  const retried = await api.retry(id, second);
  expect(await changed()).toBe(second);
  await retried.all();
  await client.activateVersion(id, second);
  expect(await changed()).toBe(retried.messageId);
  await client.rewindFiles(id, second);
  expect(await changed()).toBe(second);
  events.hangUp();
});

test('[EDIT-7] takes a message and all after it out as a version, which is not lost', async () => {
  const { api, client, upstream } = kernel;
  const { id, second } = await talk();
  expect((await api.post(`/v1/chats/${id}/messages/${second}/rewind`)).body).toEqual({
    deleted: 2,
    first_deleted: second,
    not_undone: [],
    files: [],
    version_id: second,
  });
  expect(await said(id)).toEqual(['First?', 'First answer.']);
  expect((await versionsOf(id)).forks).toMatchObject([{ versions: [{ id: second, active: false }] }]);
  upstream.next(says('Other.'));
  await api.say(id, 'Something else?');
  expect((await messagesOf(id))[2]).toMatchObject({ versions: { index: 2, count: 2 } });
  await client.activateVersion(id, second);
  expect(await said(id)).toEqual(['First?', 'First answer.', 'Second?', 'Second answer.']);
});

test('[EDIT-1] retries after an error', async () => {
  const { api, upstream } = kernel;
  const chat = await api.newChat();
  upstream.next({ status: 401 });
  const stream = await api.turn(chat.id, { text: 'Hello?' });
  expect((await stream.all()).at(-1)).toMatchObject({ status: 'failed' });
  upstream.next(calls('call_1', 'plan', { tasks: [] }), says('Hello.'));
  const again = await api.retry(chat.id, stream.messageId);
  expect((await again.all()).at(-1)).toMatchObject({ status: 'completed' });
  expect((await said(chat.id)).at(-1)).toBe('Hello.');
});
