/** Tests the body of POST messages field by field: what reaches the model, what is stored, what is refused. */
import { describe, expect, test } from 'vitest';
import { namesIn } from '../harness/modules.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, textOf } from '../harness/story.ts';

const kernel = sharedKernel({
  settings: {
    llm: {
      default_model: 'scripted/plain',
      models: [{ id: 'scripted/plain' }, { id: 'scripted/other' }],
    },
  },
});

/** Returns the body of the last request to the model. */
const told = () => kernel.upstream.requests.at(-1)?.body ?? {};
const lastWords = () => JSON.stringify(told().messages.at(-1));

describe('fields', () => {
  test('[TURN-1] passes text and sender to the model, which distinguishes people by them', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'I am here.', { sender: 'Ann' });
    expect(told().messages.at(-1)).toEqual({ role: 'user', content: '"Ann": I am here.' });
    await api.say(chat.id, 'So am I.');
    expect(told().messages.at(-1)).toEqual({ role: 'user', content: 'So am I.' });
    const said = (await api.items(chat.id)).filter(item => item.kind === 'user_message');
    expect(said).toMatchObject([
      { text: 'I am here.', sender: 'Ann', master: false },
      { text: 'So am I.', master: true },
    ]);
    expect(said[1]).not.toHaveProperty('sender');
  });

  test('[TURN-2] passes context to the model before the text, keeps it in later prompts, and shows no item for it', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'Which day?', { context: 'Today is Monday.' });
    expect(lastWords()).toMatch(/Today is Monday\..*Which day\?/);
    await api.say(chat.id, 'And tomorrow?');
    expect(JSON.stringify(told().messages)).toContain('Today is Monday.');
    const items = await api.items(chat.id);
    expect(items.map(item => item.kind)).toEqual([
      'user_message',
      'agent_message',
      'user_message',
      'agent_message',
    ]);
    expect(JSON.stringify(items)).not.toContain('Monday');
  });

  test('[TURN-3] leaves out muted event types, and sends the others completely', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    const originals = await api.say(chat.id, 'Hi.', {
      mute: ['turn', 'item_started', 'item_delta', 'item_completed'],
    });
    expect(originals.map(event => event.type)).toEqual(['text_delta', 'usage', 'done']);
    const items = await api.say(chat.id, 'Hi.', { mute: ['turn', 'text_delta', 'usage'] });
    expect(items.map(event => event.type)).toEqual(['item_started', 'item_delta', 'item_completed', 'done']);
    const neither = await (
      await api.turn(chat.id, { text: 'Hi.', mute: ['turn', 'text_delta', 'done'] })
    ).closed();
    expect(neither).toBeUndefined();
  });

  test('[TURN-3] ignores unknown types in mute, in a list of at most 100', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    const events = await api.say(chat.id, 'Hi.', { mute: ['noise', 'text_delta'] });
    expect(new Set(events.map(event => event.type))).toEqual(
      new Set(['turn', 'item_started', 'item_delta', 'item_completed', 'usage', 'done']),
    );
    const long = { text: 'Hi.', mute: Array(101).fill('noise') };
    const refused = await api.post(`/v1/chats/${chat.id}/messages`, long);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/mute' }] },
    });
  });

  test('[TURN-8] ignores unknown names in tools, and lists them in X-Ignored-Tools', async () => {
    const { api, client, upstream } = kernel;
    const chat = await api.newChat();
    const stream = await api.turn(chat.id, { text: 'Hi.', tools: ['plan', 'nonsense', 'ä, b'] });
    expect(stream.headers['x-ignored-tools']).toBe('nonsense,%C3%A4%2C%20b');
    await stream.all();
    expect(namesIn(upstream.requests.at(-1))).toEqual(['plan']);
    // The group of all tool servers is known without one.
    const known = await api.turn(chat.id, { text: 'Hi.', tools: ['plan', 'mcp'] });
    expect(known.headers).not.toHaveProperty('x-ignored-tools');
    await known.all();
    const before = (await client.items(chat.id)).length;
    const refused = await api.post(`/v1/chats/${chat.id}/messages`, { text: 'Hi.', tools: ['nonsense'] });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/tools' }] },
    });
    expect(await client.items(chat.id)).toHaveLength(before);
    // An empty list removes all tools.
    await api.say(chat.id, 'Hi.', { tools: [] });
    expect(namesIn(upstream.requests.at(-1))).toEqual([]);
  });

  test('[TURN-4] applies an effort only to its turn, and reports it', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    const stream = await api.turn(chat.id, { text: 'Hi.', effort: 'mid' });
    await stream.all();
    expect(told().reasoning_effort).toBe('medium');
    expect((await api.get(`/v1/chats/${chat.id}/turns/${stream.turnId}`)).body.effort).toEqual({
      value: 'mid',
      source: 'turn',
      raised: false,
    });
    const next = await api.turn(chat.id, { text: 'Hi.' });
    await next.all();
    expect(told().reasoning_effort).toBe('low');
    expect((await api.get(`/v1/chats/${chat.id}/turns/${next.turnId}`)).body.effort.source).toBe('global');
  });

  test('[TURN-8] chat_title sets the title of a chat without one', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'Hi.', { chat_title: 'Family' });
    expect((await api.get(`/v1/chats/${chat.id}`)).body.title).toBe('Family');
    await api.say(chat.id, 'Hi.', { chat_title: 'Friends' });
    expect((await api.get(`/v1/chats/${chat.id}`)).body.title).toBe('Family');
  });

  test('[TURN-8] shows a quote next to the text, and passes it to the model', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'Yes.', { reply_to_ext_id: '77', reply_to_text: 'Shall we?\nNow?' });
    expect((await api.items(chat.id))[0]).toMatchObject({
      text: 'Yes.',
      quote: { ext_id: '77', text: 'Shall we?\nNow?' },
    });
    expect(lastWords()).toMatch(/Shall we\?.*Now\?.*Yes\./);
  });

  test('[TURN-8] passes max_tokens and brief to the model', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'Hi.', { max_tokens: 77, brief: true });
    expect(told().max_tokens).toBe(77);
    expect(lastWords()).toMatch(/brief/i);
    expect(JSON.stringify(await api.items(chat.id))).not.toMatch(/brief/i);
    await api.say(chat.id, 'Hi.');
    expect(told()).not.toHaveProperty('max_tokens');
  });

  test('[TURN-8] uses surface_model if the chat has no model, and model always', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    await api.say(chat.id, 'Hi.', { surface_model: 'scripted/other' });
    expect(told().model).toBe('other');
    await api.put(`/v1/chats/${chat.id}/model`, { model: 'scripted/plain' });
    await api.say(chat.id, 'Hi.', { surface_model: 'scripted/other' });
    expect(told().model).toBe('plain');
    const events = await api.say(chat.id, 'Hi.', { model: 'scripted/other' });
    expect(told().model).toBe('other');
    expect(eventsOf(events, 'usage')).toMatchObject([{ model: 'scripted/other' }]);
  });
});

describe('errors', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  test.each([
    ['{"text":', 'not_json'],
    ['', 'not_json'],
    ['\xff', 'not_json'],
    ['null', 'schema_mismatch'],
    ['[]', 'schema_mismatch'],
    ['"text"', 'schema_mismatch'],
    ['{"text":5}', 'schema_mismatch'],
    ['{"text":"Hi.","effort":"max"}', 'schema_mismatch'],
    ['{"text":"Hi.","on_busy":"wait"}', 'schema_mismatch'],
    ['{"text":"Hi.","sender":""}', 'schema_mismatch'],
    ['{"images":[{"media_type":"image/bmp","data":"AAAA"}]}', 'schema_mismatch'],
    ['{"text":"Hi.","extra_tools":[{"name":"a b","description":""}]}', 'schema_mismatch'],
  ])('[TURN-9] returns 422 for %s', async (body, code) => {
    const { api } = kernel;
    const chat = await api.newChat();
    const asked = { method: 'POST', headers: JSON_TYPE, body: Buffer.from(body, 'latin1') };
    const answer = await api.raw(`/v1/chats/${chat.id}/messages`, asked);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect((await api.items(chat.id)).length).toBe(0);
  });

  test.each([
    [{}, 'empty_message', undefined],
    [{ text: ' \n' }, 'empty_message', undefined],
    [{ text: '', images: [], files: [] }, 'empty_message', undefined],
    [{ context: 'Only this.' }, 'empty_message', undefined],
    [{ text: 'Hi.', model: 'no/such' }, 'unknown_model', '/model'],
    [{ text: 'Hi.', surface_model: 'no/such' }, 'unknown_model', '/surface_model'],
    [{ text: 'Hi.', files: [{ id: 'nothing' }] }, 'unknown_file', '/files/0/id'],
  ])('[TURN-9] returns 400 for %j', async (body, code, pointer) => {
    const { api, upstream } = kernel;
    const chat = await api.newChat();
    const asked = upstream.requests.length;
    const answer = await api.post(`/v1/chats/${chat.id}/messages`, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors?.[0].pointer).toBe(pointer);
    expect((await api.items(chat.id)).length).toBe(0);
    expect(upstream.requests.length).toBe(asked);
  });

  test('[TURN-9] [API-8] ignores an unknown field, and names it in the response', async () => {
    const { api } = kernel;
    const chat = await api.newChat();
    const stream = await api.turn(chat.id, { text: 'Hi.', efort: 'high', 'a/b': 1 });
    expect(stream.headers['x-ignored-fields']).toBe('/efort,/a~1b');
    expect(textOf(await stream.all())).toBe('ok');
    const nested = await api.post('/v1/chats', { toolset: { loaded: [], extra: 1 } });
    expect([nested.status, nested.headers['x-ignored-fields']]).toEqual([201, '/toolset/extra']);
    expect((await api.post('/v1/chats', { title: 'x' })).headers).not.toHaveProperty('x-ignored-fields');
  });
});
