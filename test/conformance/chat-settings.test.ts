/**
 * Tests that each setting of a chat is copied and exported with the chat. The protocol defines the list of
 * settings.
 */
import { chatSettings, Effort, newChatSettings } from '@chat-kernel/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOfOwn } from '../../packages/importers/src/formats/chat-kernel.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { says } from '../harness/story.ts';

/** A value of each setting that differs from its default; for a boolean the test derives it. */
const OTHER: Readonly<Record<string, unknown>> = {
  title: 'Trip',
  shelf: 'travel',
  project: 'lisbon',
  model: 'scripted/plain',
  effort: Effort.enum.high,
  toolset: { loaded: ['books'], disabled: ['shell'] },
  compaction: 'tight',
  consent: 'ask',
};

const initial = newChatSettings({});
const settings = Object.fromEntries(
  Object.entries(initial).map(([name, value]) => [name, typeof value === 'boolean' ? !value : OTHER[name]]),
);

test('[CHAT-1] covers every setting with a test value', () => {
  expect(Object.keys(settings)).toEqual(Object.keys(chatSettings.shape));
  for (const [name, value] of Object.entries(settings)) {
    expect([name, value]).not.toEqual([name, undefined]);
    expect([name, value]).not.toEqual([name, initial[name as keyof typeof initial]]);
  }
});

let [one, two]: TestKernel[] = [];
beforeAll(async () => {
  one = await startKernel();
  two = await startKernel();
});
afterAll(() => Promise.all([one?.stop(), two?.stop()]));

test('[CHAT-1] creates a chat with the defaults, and with every given setting', async () => {
  const { api } = one!;
  expect((await api.post('/v1/chats', {})).body).toMatchObject(initial);
  const made = (await api.post('/v1/chats', settings)).body;
  expect(made).toMatchObject(settings);
  expect((await api.get(`/v1/chats/${made.id}`)).body).toEqual(made);
});

test('[CHAT-5] changes every setting separately', async () => {
  const { api } = one!;
  const { id } = (await api.post('/v1/chats', {})).body;
  for (const [name, value] of Object.entries(settings)) {
    const { body } = await api.patch(`/v1/chats/${id}`, { [name]: value });
    expect(body).toMatchObject({ [name]: value });
  }
  expect((await api.get(`/v1/chats/${id}`)).body).toMatchObject(settings);
  expect((await api.patch(`/v1/chats/${id}`, { ...initial })).body).toMatchObject(initial);
});

test('[FORK-2] [FACE-3] keeps every setting in a fork, and all but the model in an export that another kernel imports', async () => {
  const { api, client, upstream } = one!;
  const { id } = (await api.post('/v1/chats', settings)).body;
  upstream.next(says('Hello.'));
  const turn = await client.begin(id, { text: 'Hi.' });
  await turn.all();
  const branch = (await api.post(`/v1/chats/${id}/fork`, { before_message: turn.messageId })).body;
  expect(branch).toMatchObject({ ...settings, forked_from: id });

  const text = String((await api.get(`/v1/chats/${id}/export`)).body);
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  const imported = await two!.api.post('/v1/import', chatOfOwn(lines, new Map()));
  const copy = (await two!.api.get(`/v1/chats/${imported.body.chat_id}`)).body;
  expect(copy).toMatchObject({ ...settings, model: null });
});
