/** Tests chats: created, read, changed, listed, deleted. */
import type { CreateChat } from '@chat-kernel/client';
import { describe, expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { stuck } from '../harness/story.ts';

const kernel = sharedKernel();

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MILLISECONDS_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FIELDS = [
  'id',
  'title',
  'created_at',
  'updated_at',
  'last_message_at',
  'workdir',
  'workdir_on',
  'hands',
  'home',
  'consent',
  'forked_from',
  'forked_at_message',
  'effort',
  'model',
  'shelf',
  'project',
  'toolset',
  'compaction',
  'summary',
  'turn',
];
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('creating', () => {
  test('[CHAT-1] accepts an empty object, and fills every field with its default', async () => {
    const { status, body } = await kernel.api.post('/v1/chats', {});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID7),
      title: null,
      created_at: expect.stringMatching(MILLISECONDS_UTC),
      updated_at: body.created_at,
      last_message_at: null,
      workdir: null,
      workdir_on: 'client',
      home: null,
      forked_from: null,
      forked_at_message: null,
      effort: null,
      model: null,
      shelf: 'main',
      project: null,
      toolset: { loaded: [], disabled: [] },
      compaction: 'auto',
      hands: null,
      consent: 'auto',
      summary: null,
      turn: null,
    });
    expect(await kernel.client.getChat(body.id)).toEqual(body);
  });

  test('[CHAT-1] returns a chat with the same fields in the same order everywhere', async () => {
    const { api, client } = kernel;
    const events = await api.events();
    const made = (await api.post('/v1/chats', { title: 'Shape' })).body;
    const path = `/v1/chats/${made.id}`;
    const { messageId } = await client.begin(made.id, { text: 'Hi.' }).then(async turn => {
      await turn.all();
      return turn;
    });
    const { chat: told } = await events.until('chat_created');
    const listed = (await api.get('/v1/chats')).body.chats.find(({ id }: { id: string }) => id === made.id);
    const answers = {
      get: (await api.get(path)).body,
      patch: (await api.patch(path, { title: 'Other' })).body,
      workdir: (await api.put(`${path}/workdir`, { workdir: null })).body,
      model: (await api.put(`${path}/model`, { model: null })).body,
      fork: (await api.post(`${path}/fork`, { before_message: messageId })).body,
      told,
      listed,
    };
    for (const [name, chat] of Object.entries(answers))
      expect([name, Object.keys(chat)]).toEqual([name, FIELDS]);
    expect(Object.keys(made)).toEqual(FIELDS);
    events.hangUp();
  });

  test('[CHAT-1] stores all fields that can be given', async () => {
    const given = {
      title: 'Trip — Lisboa 🇵🇹',
      workdir: '/home/me/trip',
      workdir_on: 'server',
      shelf: 'travel',
      project: 'lisbon',
      model: 'scripted/plain',
      effort: 'high',
      toolset: { loaded: ['a'], disabled: ['b'] },
      compaction: 'tight',
    } satisfies CreateChat;
    const body = await kernel.client.createChat(given);
    expect(body).toMatchObject(given);
    expect(await kernel.client.getChat(body.id)).toEqual(body);
  });

  test('[CHAT-1] creates no chat if a value is invalid', async () => {
    const { api } = kernel;
    expect(await api.post('/v1/chats', { workdir_on: 'moon' })).toMatchObject({
      status: 422,
      body: { code: 'schema_mismatch', errors: [{ pointer: '/workdir_on' }] },
    });
    expect(await api.post('/v1/chats', { shelf: 'nowhere', model: 'no/such' })).toMatchObject({
      status: 400,
      body: { code: 'unknown_model', errors: [{ pointer: '/model' }] },
    });
    expect((await api.get('/v1/chats?shelf=nowhere')).body.chats).toEqual([]);
  });
});

describe('changing', () => {
  test('[CHAT-2] sets the working directory, and clears it with null', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    const set = await api.put(`/v1/chats/${chat.id}/workdir`, { workdir: '/srv/x', workdir_on: 'server' });
    expect(set).toMatchObject({
      status: 200,
      body: { id: chat.id, workdir: '/srv/x', workdir_on: 'server' },
    });
    const again = await api.put(`/v1/chats/${chat.id}/workdir`, { workdir: '/home/me' });
    expect(again.body).toMatchObject({ workdir: '/home/me', workdir_on: 'client' });
    const cleared = await api.put(`/v1/chats/${chat.id}/workdir`, { workdir: null });
    expect(cleared.body).toEqual({
      ...chat,
      workdir: null,
      workdir_on: 'client',
      updated_at: cleared.body.updated_at,
    });
    expect((await api.put(`/v1/chats/${chat.id}/workdir`, {})).status).toBe(422);
    expect((await api.put(`/v1/chats/${UNKNOWN}/workdir`, { workdir: null })).status).toBe(404);
  });

  test('[CHAT-3] accepts four levels, and null for none', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    for (const level of ['off', 'low', 'mid', 'high', null]) {
      const { status, body } = await api.put(`/v1/chats/${chat.id}/effort`, { level });
      expect([status, body]).toEqual([200, { effort: level }]);
      expect((await client.getChat(chat.id)).effort).toBe(level);
    }
    const { status, body } = await api.put(`/v1/chats/${chat.id}/effort`, { level: 'max' });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'schema_mismatch', '/level']);
  });

  test('[CHAT-4] sets and clears a model, and rejects an unknown one', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    const set = await api.put(`/v1/chats/${chat.id}/model`, { model: 'scripted/plain' });
    expect(set).toMatchObject({ status: 200, body: { id: chat.id, model: 'scripted/plain' } });
    const wrong = await api.put(`/v1/chats/${chat.id}/model`, { model: 'scripted/other' });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'unknown_model' } });
    expect((await client.getChat(chat.id)).model).toBe('scripted/plain');
    expect((await client.setModel(chat.id, { model: null })).model).toBeNull();
  });

  test('[CHAT-5] renames a chat, and keeps the fields that were not sent', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat({ title: 'Old', project: 'p', effort: 'mid' });
    const { status, body } = await api.patch(`/v1/chats/${chat.id}`, { title: 'New' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...chat, title: 'New', updated_at: body.updated_at });
    expect(await client.patchChat(chat.id, { title: null, project: null })).toMatchObject({
      title: null,
      project: null,
      effort: 'mid',
    });
  });
});

describe('listing and deleting', () => {
  test('[CHAT-5] lists chats newest first, page by page, by shelf, project and title', async () => {
    const { api, client } = kernel;
    const ids: string[] = [];
    for (const title of ['Red fox', 'red hen', 'Blue fox', 'Green']) {
      ids.unshift((await client.createChat({ title, shelf: 'animals', project: title.slice(-3) })).id);
    }
    // biome-ignore lint/suspicious/noExplicitAny: an unparsed page
    const idsOf = ({ body }: { body: any }) => body.chats.map((chat: { id: string }) => chat.id);
    expect(idsOf(await api.get('/v1/chats?shelf=animals'))).toEqual(ids);
    const first = await api.get('/v1/chats?shelf=animals&limit=3');
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    expect(first.body.next_before).toBe(ids[2]);
    const second = await api.get(`/v1/chats?shelf=animals&limit=3&before=${first.body.next_before}`);
    expect(idsOf(second)).toEqual(ids.slice(3));
    const third = await api.get(`/v1/chats?shelf=animals&limit=3&before=${second.body.next_before}`);
    expect(third.body).toEqual({ chats: [], next_before: null });

    expect(idsOf(await api.get('/v1/chats?shelf=animals&q=RED'))).toEqual([ids[2], ids[3]]);
    expect(idsOf(await api.get('/v1/chats?shelf=animals&project=fox'))).toEqual([ids[1], ids[3]]);
    expect(idsOf(await api.get('/v1/chats?shelf=animals&q=%25'))).toEqual([]);
  });

  test('[CHAT-5] deletes a chat with all of its data', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    await client.say(chat.id, 'Hello.');
    const { status, body } = await api.delete(`/v1/chats/${chat.id}`);
    expect([status, body]).toEqual([200, { deleted: true, id: chat.id }]);
    for (const path of ['', '/messages', '/items', '/live', '/spend', '/plan']) {
      const gone = await api.get(`/v1/chats/${chat.id}${path}`);
      expect([path, gone.status, gone.body.code]).toEqual([path, 404, 'not_found']);
    }
    expect((await api.delete(`/v1/chats/${chat.id}`)).status).toBe(404);
  });

  test('[CHAT-5] deletes a chat with a running turn only with force, which cancels the turn', async () => {
    const { api, client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(stuck({ text: 'On and' }));
    const stream = await client.begin(chat.id, { text: 'Talk.' });
    await stream.until('text_delta');
    const refused = await api.delete(`/v1/chats/${chat.id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'turn_running' } });
    expect((await api.delete(`/v1/chats/${chat.id}?force=true`)).status).toBe(200);
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
    expect(await upstream.requests.at(-1)?.ended).toBe('aborted');
    expect((await api.get(`/v1/chats/${chat.id}`)).status).toBe(404);
  });
});
