/** Tests the notebook of a chat: written by the model and by the user, who see each other's changes. */
import { expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, held, says } from '../harness/story.ts';

const kernel = sharedKernel();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

test('[CHAT-8] returns an empty notebook at first, and stores a new text only for its chat', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const other = await client.createChat();
  const path = `/v1/chats/${chat.id}/notes`;
  expect((await api.get(path)).body).toEqual({ text: '', updated_at: null });
  const text = '# Notes\n\n- ünïcode 📓';
  const put = await api.put(path, { text });
  expect([put.status, put.body]).toEqual([200, { text, updated_at: expect.stringMatching(TIME) }]);
  expect((await api.get(path)).body).toEqual(put.body);
  expect((await api.put(path, { text: '' })).body).toEqual({
    text: '',
    updated_at: expect.stringMatching(TIME),
  });
  expect(await client.getNotebook(other.id)).toEqual({ text: '', updated_at: null });
});

test('[CHAT-8] accepts at most 100,000 characters, and returns 404 for an unknown chat', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const path = `/v1/chats/${chat.id}/notes`;
  expect((await api.put(path, { text: 'x'.repeat(100_000) })).status).toBe(200);
  for (const body of [{ text: 'x'.repeat(100_001) }, {}, { text: null }]) {
    expect((await api.put(path, body)).status).toBe(422);
  }
  expect((await api.get(path)).body.text).toHaveLength(100_000);
  for (const id of [UNKNOWN, 'first']) {
    expect((await api.get(`/v1/chats/${id}/notes`)).status).toBe(404);
    expect((await api.put(`/v1/chats/${id}/notes`, { text: '' })).status).toBe(404);
  }
});

test('[BT-8] lets the model append and replace, also with two parallel calls', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  const note = (id: string, text: string) => ({
    call: { id, name: 'notebook', input: { text, mode: 'append' } },
  });
  upstream.next({ steps: [note('a', 'One.'), note('b', 'Two.')] }, says('Noted.'));
  const events = await client.say(chat.id, 'Note.');
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ is_error: false }, { is_error: false }]);
  const path = `/v1/chats/${chat.id}/notes`;
  expect((await api.get(path)).body.text).toBe('One.\nTwo.');
  upstream.next(calls('c', 'notebook', { text: 'Three.', mode: 'replace' }), says('Noted.'));
  expect(eventsOf(await client.say(chat.id, 'Again.'), 'tool_result')).toMatchObject([
    { output: 'The notebook has 6 characters.', is_error: false },
  ]);
  expect((await api.get(path)).body).toEqual({ text: 'Three.', updated_at: expect.stringMatching(TIME) });
});

test("[BT-8] keeps a user's edit during a turn when the model appends", async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const late = held({ call: { id: 'a', name: 'notebook', input: { text: 'Mine.', mode: 'append' } } });
  upstream.next(late.reply, says('Noted.'));
  const stream = await client.begin(chat.id, { text: 'Note.' });
  await client.setNotebook(chat.id, { text: 'Yours.' });
  late.go();
  await stream.all();
  expect((await client.getNotebook(chat.id)).text).toBe('Yours.\nMine.');
});

test('[BT-8] returns an error for a text that is too long, and stores nothing', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const text = 'x'.repeat(99_990);
  await client.setNotebook(chat.id, { text });
  upstream.next(calls('a', 'notebook', { text: 'Ten letters', mode: 'append' }), says('Oh.'));
  const [result] = eventsOf(await client.say(chat.id, 'Note.'), 'tool_result');
  expect(result).toMatchObject({ is_error: true });
  expect(result?.output).toMatch(/at most 100,000 characters.*100,002 characters/);
  expect((await client.getNotebook(chat.id)).text).toBe(text);
});

test('[BT-8] rejects changes by guests', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  const offered = async (more: Record<string, unknown>) => {
    await client.say(chat.id, 'Hi.', more);
    return JSON.stringify(upstream.requests.at(-1)?.body.tools).includes('"notebook"');
  };
  expect(await offered({})).toBe(true);
  expect(await offered({ guest: true })).toBe(false);
});
