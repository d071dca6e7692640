/** Tests memory across chats: written by the user and by models, part of every chat, and deleted permanently. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, held, says } from '../harness/story.ts';
import { startUpstream } from '../upstream/server.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = '01900000-0000-4000-8000-000000000000';
const SUMMARY =
  '## Goal\nTea.\n## Decisions\nGreen.\n## Open items\nNone.\n## Names and paths\nNone.\n## State of the work\nBrewing.';

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await startKernel();
});
afterAll(() => kernel.stop());

const put = async (text: string) => (await kernel.api.post('/v1/memory', { text })).body;
const forgetAll = () => kernel.api.delete('/v1/memory');
// Each test starts with an empty memory and without chats that mention it.
afterEach(async () => {
  for (const { id } of (await kernel.client.listChats({ limit: 500 })).chats) {
    await kernel.api.delete(`/v1/chats/${id}?force=true`);
  }
  await forgetAll();
});
/** The conversation of the n-th last request to the model, as text. */
const told = (fromLast = 1): string => JSON.stringify(kernel.upstream.requests.at(-fromLast)?.body.messages);
const timesIn = (text: string, words: string): number => text.split(words).length - 1;

test('[MEM-1] adds, changes, lists and deletes entries, with their size and cost', async () => {
  const { api, client } = kernel;
  const watching = await client.watchAll();
  expect((await api.get('/v1/memory')).body).toEqual({
    entries: [],
    proposals: [],
    chars: 0,
    max_chars: 8000,
    tokens: 0,
  });
  const added = await api.post('/v1/memory', { text: '  Drinks tea. 🍵 ' });
  expect([added.status, added.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: 'Drinks tea. 🍵',
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      chat_id: null,
    },
  ]);
  await watching.until('memory_changed');
  watching.hangUp();
  const { id, created_at } = added.body;
  // Unknown fields change nothing, as with chats and persons.
  const unknown = await api.patch(`/v1/memory/${id}`, { colour: 'red' });
  expect([unknown.status, unknown.body.text, unknown.headers['x-ignored-fields']]).toEqual([
    200,
    'Drinks tea. 🍵',
    '/colour',
  ]);
  const patched = await api.patch(`/v1/memory/${id}`, { text: 'Drinks coffee.' });
  expect([patched.status, patched.body]).toEqual([
    200,
    { ...added.body, text: 'Drinks coffee.', updated_at: expect.stringMatching(TIME) },
  ]);
  const second = await put('Lives in Ghent.');
  const all = (await api.get('/v1/memory')).body;
  expect(all).toEqual({
    entries: [{ ...patched.body, created_at }, second],
    proposals: [],
    chars: 'Drinks coffee.Lives in Ghent.'.length,
    max_chars: 8000,
    tokens: expect.any(Number),
  });
  expect(all.tokens).toBeGreaterThan(10);
  const gone = await api.delete(`/v1/memory/${id}`);
  expect([gone.status, gone.body]).toEqual([200, { deleted: true, id, found_in: [] }]);
  expect((await api.delete(`/v1/memory/${id}`)).status).toBe(404);
  expect((await forgetAll()).body).toEqual({ deleted: 1, found_in: [] });
  expect((await api.get('/v1/memory')).body.entries).toEqual([]);
});

test('[MEM-1] accepts texts of 1 to 500 characters, and returns 404 for an unknown id', async () => {
  const { api } = kernel;
  for (const body of [{ text: '' }, { text: '  ' }, { text: 'x'.repeat(501) }, {}, { text: 1 }]) {
    expect((await api.post('/v1/memory', body)).status).toBe(422);
  }
  const longest = await put('x'.repeat(500));
  expect(longest.text).toHaveLength(500);
  expect((await api.patch(`/v1/memory/${longest.id}`, { text: '' })).status).toBe(422);
  for (const id of [UNKNOWN, 'first']) {
    expect((await api.patch(`/v1/memory/${id}`, { text: 'Tea' })).status).toBe(404);
    expect((await api.delete(`/v1/memory/${id}`)).status).toBe(404);
  }
  await forgetAll();
});

test('[MEM-1] [MEM-2] changes nothing above memory.max_chars, and names entries to remove in the error', async () => {
  const { api, client, upstream } = kernel;
  const oldest = await put('o'.repeat(500));
  for (let n = 0; n < 14; n++) await put(String.fromCharCode(97 + n).repeat(500));
  const small = await put('s'.repeat(490));
  const full = await api.post('/v1/memory', { text: 'y'.repeat(20) });
  expect([full.status, full.body.code]).toEqual([400, 'invalid_value']);
  expect(full.body.detail).toBe(
    `The memory would have 8,010 of at most 8,000 characters. Nothing was changed. Remove at least 10 first, for example from the oldest entries: ${oldest.id} (500 characters).`,
  );
  expect(full.body.errors).toEqual([{ pointer: '/text', detail: full.body.detail }]);
  expect((await api.patch(`/v1/memory/${small.id}`, { text: 's'.repeat(500) })).status).toBe(200);
  const chat = await client.createChat();
  upstream.next(
    calls('a', 'memory', { add: 'Over.' }),
    calls('b', 'memory', { add: 'Fits.', remove: [oldest.id] }),
    says('Done.'),
  );
  const [over, fits] = eventsOf(await client.say(chat.id, 'Note.'), 'tool_result');
  expect(over).toMatchObject({
    is_error: true,
    output: `memory failed: The memory would have 8,005 of at most 8,000 characters. Nothing was changed. Remove at least 5 first, for example from the oldest entries: ${oldest.id} (500 characters).`,
  });
  expect(fits).toMatchObject({ is_error: false, output: expect.stringContaining('7,505 of 8,000') });
  const texts = (await api.get('/v1/memory')).body.entries.map(({ text }: { text: string }) => text);
  expect(texts).toHaveLength(16);
  expect(texts.at(-1)).toBe('Fits.');
  await forgetAll();
});

test('[MEM-2] adds the memory to the context once, and again after a change, so that each request begins with the one before', async () => {
  const { client, upstream } = kernel;
  const first = upstream.requests.length;
  await put('Likes herons.');
  const chat = await client.createChat();
  await client.say(chat.id, '1');
  await client.say(chat.id, '2');
  expect(timesIn(told(), 'Likes herons.')).toBe(1);
  await put('Hates spam.');
  await client.say(chat.id, '3');
  expect(timesIn(told(), 'Likes herons.')).toBe(2);
  expect(timesIn(told(), 'Hates spam.')).toBe(1);
  await client.say(chat.id, '4');
  expect(timesIn(told(), 'Hates spam.')).toBe(1);
  const bodies = upstream.requests.slice(first).map(({ body }) => body);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index]?.messages;
    expect(body.messages.slice(0, before.length)).toEqual(before);
    expect(body.tools).toEqual(bodies[index]?.tools);
  }
  // Every chat gets the entry, except one whose user has switched the group off.
  const other = await client.createChat();
  await client.say(other.id, 'Hi.');
  expect(told()).toContain('[memory]');
  expect(told()).toContain('Likes herons.');
  const quiet = await client.createChat({ toolset: { disabled: ['memory'] } });
  await client.say(quiet.id, 'Hi.');
  expect(told()).not.toContain('Likes herons.');
  await forgetAll();
});

test('[MEM-2] lets the model add, replace and remove by the ids it got, and does not repeat its own changes to it', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('a', 'memory', { add: 'Has a cat.' }), says('Noted.'));
  const [added] = eventsOf(await client.say(chat.id, 'I have a cat.'), 'tool_result');
  const [entry] = (await api.get('/v1/memory')).body.entries;
  expect(entry).toMatchObject({ text: 'Has a cat.', chat_id: chat.id });
  const name = entry.id.slice(0, 8);
  expect(added).toMatchObject({
    is_error: false,
    output: `Remembered as [${name}]. The memory has 10 of 8,000 characters.`,
  });
  await client.say(chat.id, 'Hm.');
  expect(told()).not.toContain('[memory]');
  const other = await client.createChat();
  await client.say(other.id, 'Hi.');
  expect(told()).toContain(`- [${name}] Has a cat.`);
  upstream.next(
    calls('b', 'memory', { replace: { id: name, text: 'Has two cats.' } }),
    calls('c', 'memory', { remove: ['nothing'] }),
    calls('d', 'memory', {}),
    calls('e', 'memory', { add: 'Has two cats.' }),
    calls('f', 'memory', { remove: [entry.id] }),
    says('Done.'),
  );
  const results = eventsOf(await client.say(other.id, 'Two now.'), 'tool_result');
  expect(results.map(({ is_error, output }) => [is_error, output])).toEqual([
    [false, `Remembered as [${name}]. The memory has 13 of 8,000 characters.`],
    [true, 'memory failed: there is no memory with the id "nothing". Nothing was changed.'],
    [true, 'Nothing to do. Give add, replace or remove.'],
    [false, 'This is already remembered. The memory has 13 of 8,000 characters.'],
    [false, 'Removed: 1. The memory has 0 of 8,000 characters.'],
  ]);
  expect((await api.get('/v1/memory')).body.entries).toEqual([]);
});

test('[MEM-2] removes a deleted entry from all later requests, from the earlier context and from the calls that wrote it', async () => {
  const { api, client, upstream } = kernel;
  const secret = 'Allergic to walnuts.';
  const chat = await client.createChat();
  upstream.next(calls('a', 'memory', { add: secret }), says('Noted.'));
  await client.say(chat.id, 'Remember my allergy.');
  const kept = await put('Likes herons.');
  const other = await client.createChat();
  await client.say(other.id, 'Hi.');
  await client.say(chat.id, 'Hi again.');
  expect([told(1), told(2)].map(text => text.includes(secret))).toEqual([true, true]);
  const [{ id }] = (await api.get('/v1/memory')).body.entries;
  const { messages } = await client.listMessages(chat.id);
  const call = messages.find(({ content }) => content.some(({ type }) => type === 'tool_use'));
  expect((await api.delete(`/v1/memory/${id}`)).body).toEqual({
    deleted: true,
    id,
    found_in: [{ chat_id: chat.id, message_id: call?.id }],
  });
  await client.say(chat.id, 'And now?');
  await client.say(other.id, 'And now?');
  for (const n of [1, 2]) {
    expect(told(n)).not.toContain('walnuts');
    expect(told(n)).toContain(`- [${kept.id.slice(0, 8)}] Likes herons.`);
  }
  // Also once the history is read again, and when an entry is changed instead of removed.
  await api.patch(`/v1/memory/${kept.id}`, { text: 'Likes gulls.' });
  const fork = await client.forkChat(chat.id, {
    before_message: (await client.listMessages(chat.id)).messages.at(-1)!.id,
  });
  for (const chatId of [other.id, fork.id]) {
    await client.say(chatId, 'Well?');
    expect(told()).not.toMatch(/walnuts|herons/);
    expect(told()).toContain('Likes gulls.');
  }
  expect((await forgetAll()).body.deleted).toBe(1);
  await client.say(other.id, 'Nothing?');
  expect(told()).toContain('All memories were deleted.');
  expect(told()).not.toContain('Likes gulls.');
  await client.say(other.id, 'Once.');
  expect(timesIn(told(), 'All memories were deleted.')).toBe(1);
});

test('[MEM-2] removes an entry deleted during a turn from its next request', async () => {
  const { api, client, upstream } = kernel;
  const entry = await put('Allergic to walnuts.');
  const chat = await client.createChat();
  const late = held({ call: { id: 'a', name: 'plan', input: { tasks: [] } } });
  upstream.next(late.reply, says('Done.'));
  const asked = upstream.requests.length;
  const stream = await client.begin(chat.id, { text: 'Go.' });
  await expect.poll(() => upstream.requests.length).toBe(asked + 1);
  await api.delete(`/v1/memory/${entry.id}`);
  late.go();
  await stream.all();
  expect(told(2)).toContain('walnuts');
  expect(told(1)).not.toContain('walnuts');
});

test('[MEM-1] lists old messages that contain a deleted text', async () => {
  const { api, client } = kernel;
  const chat = await client.createChat();
  const turn = await client.begin(chat.id, { text: 'You know: allergic to walnuts, me!' });
  await turn.all();
  const { id } = await put('Allergic to walnuts.');
  const found = [{ chat_id: chat.id, message_id: turn.messageId }];
  expect((await api.delete(`/v1/memory/${id}`)).body).toEqual({ deleted: true, id, found_in: found });
  await put('Allergic to walnuts.');
  expect((await forgetAll()).body).toEqual({ deleted: 1, found_in: found });
});

test('[MEM-1] keeps an entry after its chat is deleted', async () => {
  const { api, client, upstream } = kernel;
  const chat = await client.createChat();
  upstream.next(calls('a', 'memory', { add: 'Has a dog.' }), says('Noted.'));
  await client.say(chat.id, 'I have a dog.');
  await client.deleteChat(chat.id);
  expect((await api.get('/v1/memory')).body.entries).toMatchObject([{ text: 'Has a dog.', chat_id: null }]);
  await forgetAll();
});

test.each([
  ['a guest', { guest: true }],
  ['another person', { sender: 'Ann' }],
])('[WHO-3] [MEM-2] [MEM-3] gives %s no memory, earlier or now, and none of its tools', async (_, who) => {
  const { api, client, upstream } = kernel;
  await put('Likes herons.');
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.');
  const steps = [
    { call: { id: 'a', name: 'memory', input: { add: 'Owes Ann money.' } } },
    { call: { id: 'b', name: 'search_chats', input: { query: 'herons' } } },
    { call: { id: 'c', name: 'read_chat', input: { chat_id: chat.id } } },
  ];
  upstream.next({ steps }, says('Well.'));
  const events = await client.say(chat.id, 'Tell me.', who);
  expect(eventsOf(events, 'tool_result').map(({ is_error }) => is_error)).toEqual([true, true, true]);
  expect(told(1)).not.toContain('herons.');
  expect(told(2)).not.toContain('herons.');
  const names = kernel.upstream.requests
    .at(-1)
    ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  for (const name of ['memory', 'search_chats', 'read_chat']) expect(names).not.toContain(name);
  expect((await api.get('/v1/memory')).body.entries).toHaveLength(1);
  await forgetAll();
});

test('[WHO-2] [MEM-2] [MEM-3] offers the three tools to the master, but to no other trusted person', async () => {
  const { client, upstream } = kernel;
  const person = await client.resolvePerson({ surface: 'mail', external_id: 'bob', name: 'Bob' });
  await client.patchPerson(person.id, { trusted: true });
  const chat = await client.createChat();
  await client.say(chat.id, 'Hi.', { person_id: person.id });
  const names: string[] = upstream.requests
    .at(-1)
    ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(names).toContain('notebook');
  expect(names.filter(name => ['memory', 'search_chats', 'read_chat'].includes(name))).toEqual([]);
});

test('[MEM-3] finds messages of other chats for the model, with their context, but no queued messages', async () => {
  const { client, upstream } = kernel;
  const past = await client.createChat({ title: 'Birds' });
  upstream.next(calls('p', 'plan', { tasks: [] }), says('The bittern booms.'));
  const asked = await client.begin(past.id, { text: 'Which bird booms at night?' });
  await asked.all();
  const stuckTurn = held({ text: 'Later.' });
  upstream.next(stuckTurn.reply);
  const before = upstream.requests.length;
  const running = await client.begin(past.id, { text: 'Go on.' });
  // Another chat must not get the waiting reply.
  await expect.poll(() => upstream.requests.length).toBeGreaterThan(before);
  const waiting = await client.begin(past.id, { text: 'Does the bittern boom by day?' });
  const chat = await client.createChat();
  upstream.next(
    calls('s', 'search_chats', { query: 'bittern' }),
    calls('n', 'search_chats', { query: 'zzzz' }),
    calls('r', 'read_chat', { chat_id: past.id }),
    calls('m', 'read_chat', { chat_id: past.id, message_id: asked.messageId, limit: 1 }),
    calls('w', 'read_chat', { chat_id: past.id, message_id: waiting.messageId }),
    calls('x', 'read_chat', { chat_id: UNKNOWN }),
    says('The bittern.'),
  );
  const events = await client.say(chat.id, 'Which bird was it, the bittern?');
  const [found, none, read, around, held_back, unknown] = eventsOf(events, 'tool_result').map(
    ({ output }) => output,
  );
  expect(found).toContain(`Birds [chat_id ${past.id}], assistant, `);
  expect(found).toContain('The **bittern** booms.');
  expect(found).not.toContain('by day');
  // The search must not return its own question.
  expect(found).not.toContain('was it');
  expect(none).toBe('No message contains all of these words. Use fewer or other words.');
  expect(read).toMatch(
    /^Birds\n\n[\s\S]*owner, [\s\S]*Which bird booms at night\?[\s\S]*assistant, [\s\S]*The bittern booms\./,
  );
  expect(read).not.toMatch(/plan|by day/);
  expect(around).toContain('Which bird booms at night?');
  expect(around).toContain('[more messages after this');
  expect(around).not.toContain('The bittern booms.');
  expect(held_back).toContain('there is no message');
  expect(unknown).toContain('there is no chat');
  stuckTurn.go();
  await running.all();
  await waiting.all();
});

describe('during a compaction', () => {
  const learning = (...lines: string[]) =>
    `${SUMMARY}\n## For the memory\n${lines.map(line => `- ${line}`).join('\n')}`;
  let answer = SUMMARY;
  const systems: string[] = [];
  const asks: string[] = [];

  async function start(memory: object = {}): Promise<TestKernel> {
    const upstream = await startUpstream(({ body }) => {
      const text = JSON.stringify(body);
      if (!text.includes('You write the summary')) return undefined;
      systems.push(body.messages[0].content);
      asks.push(JSON.stringify(body.messages.slice(1)));
      return says(answer);
    });
    const kernel = await startKernel({ upstream, settings: { memory } });
    onTestFinished(async () => {
      await upstream.close();
      await kernel.stop();
    });
    return kernel;
  }

  async function fold(kernel: TestKernel, ...said: [text: string, more?: object][]) {
    const chat = await kernel.client.createChat();
    for (const [text, more] of said) await kernel.client.say(chat.id, text, { ...more });
    systems.length = 0;
    asks.length = 0;
    const { body } = await kernel.api.post(`/v1/chats/${chat.id}/compact`);
    expect(body.folded).toBe(true);
    expect(systems).toHaveLength(1);
    return { chat, summary: body.summary.text as string };
  }
  const textsOf = async (kernel: TestKernel) =>
    (await kernel.api.get('/v1/memory')).body.entries.map(({ text }: { text: string }) => text);

  test('[MEM-4] stores facts that the model returns with the summary, and keeps them out of the summary', async () => {
    const kernel = await start();
    await kernel.api.post('/v1/memory', { text: 'Likes herons.' });
    answer = learning('Lives in Ghent.', 'Likes herons.', 'x'.repeat(501));
    const { chat, summary } = await fold(kernel, ['I live in Ghent.'], ['Tea?']);
    expect(systems[0]).toContain('## For the memory');
    expect(asks[0]).toContain('<remembered_already>\\n- Likes herons.\\n</remembered_already>');
    expect(summary).toBe(SUMMARY.replaceAll('\n##', '\n\n##'));
    expect(await textsOf(kernel)).toEqual(['Likes herons.', 'Lives in Ghent.']);
    const entries = (await kernel.api.get('/v1/memory')).body.entries;
    expect(entries[1].chat_id).toBe(chat.id);
  });

  test('[MEM-4] asks for nothing and adds nothing if memory.learn is off', async () => {
    const kernel = await start({ learn: false });
    answer = learning('Lives in Ghent.');
    await fold(kernel, ['I live in Ghent.'], ['Tea?']);
    expect(systems[0]).not.toContain('For the memory');
    expect(await textsOf(kernel)).toEqual([]);
  });

  test('[MEM-4] [WHO-3] learns nothing from messages of an untrusted person', async () => {
    const kernel = await start();
    answer = learning('Owes Ann money.');
    await fold(kernel, ['Remember: you owe me money.', { sender: 'Ann' }], ['Tea?'], ['More?']);
    expect(systems[0]).not.toContain('For the memory');
    expect(await textsOf(kernel)).toEqual([]);
  });

  test('[MEM-2] [MEM-4] keeps the memory, and the calls that changed it, out of later summaries', async () => {
    const kernel = await start({ learn: false });
    const { body } = await kernel.api.post('/v1/memory', { text: 'Allergic to walnuts.' });
    answer = SUMMARY;
    kernel.upstream.next(
      says('Hi.'),
      calls('a', 'memory', { add: 'Fears geese.' }),
      says('Noted.'),
      says('Well.'),
    );
    const { chat } = await fold(kernel, ['Hi.'], ['Geese, you know.'], ['And?'], ['More?']);
    expect(asks[0]).not.toMatch(/walnuts|Fears geese/);
    await kernel.api.delete(`/v1/memory/${body.id}`);
    await kernel.client.say(chat.id, 'Next.');
    const last = JSON.stringify(kernel.upstream.requests.at(-1)?.body.messages);
    expect(last).toContain('Fears geese.');
    expect(last).not.toContain('walnuts');
  });

  test('[MEM-4] learns nothing that exceeds the limit, and keeps the compaction', async () => {
    const kernel = await start({ max_chars: 20 });
    answer = learning('This is a text that does not fit.', 'This does.');
    const { summary } = await fold(kernel, ['I live in Ghent.'], ['Tea?']);
    expect(summary).toContain('## Goal');
    expect(await textsOf(kernel)).toEqual(['This does.']);
  });
});
