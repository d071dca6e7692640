/** Tests titles by a model: created outside of turns, once, and never replacing a title that the user has set. */
import type { Chat } from '@chat-kernel/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DemoClock } from '../harness/clock.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../harness/kernel.ts';
import { settingsFor } from '../harness/settings.ts';
import { calls, eventsOf, held, SILENCE, says, stuck } from '../harness/story.ts';
import type { ScriptedReply } from '../upstream/reply.ts';
import { type RecordedRequest, startUpstream } from '../upstream/server.ts';

let kernel: TestKernel;
/** The model's responses to requests for a title, in order. */
const titles: ScriptedReply[] = [];
const isTitle = ({ body }: RecordedRequest) => JSON.stringify(body).includes('<user>');
const askedFor = () => kernel.upstream.requests.filter(isTitle);

const MODELS = ['plain', 'cheap', 'thinker'];
const settings: KernelOptions['settings'] = {
  titles: { enabled: true },
  llm: {
    models: MODELS.map(name => ({
      id: `scripted/${name}`,
      efforts: name === 'thinker' ? ['low', 'high'] : ['off', 'high'],
      price: { input: 1, output: 10 },
    })),
  },
};

describe('with titles', () => {
  beforeAll(async () => {
    const upstream = await startUpstream(request => (isTitle(request) ? titles.shift() : undefined));
    kernel = await startKernel({ upstream, settings });
  });
  afterAll(async () => {
    await kernel.upstream.close();
    await kernel.stop();
  });
  afterEach(() => {
    titles.length = 0;
    kernel.upstream.requests.length = 0;
  });

  const titleOf = async (chat: Chat) => (await kernel.client.getChat(chat.id)).title;

  test('[CHAT-5] [CHAT-7] adds a title after the first turn, announces it and counts its cost, and leaves it out of turn streams', async () => {
    const { client } = kernel;
    const slow = held(
      { text: '**"A walk\u2028 in the  woods."**\nHow is that?' },
      { usage: { prompt: 100, completion: 10 } },
    );
    titles.push(slow.reply);
    const chat = await client.createChat();
    const watching = await client.watchAll();
    const events = await client.say(chat.id, `Where? ${'x'.repeat(2000)}`, {
      context: 'CONTEXT',
      max_tokens: 7,
    });
    // The turn is done before the title arrives.
    expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
    expect(eventsOf(events, 'usage')).toHaveLength(1);
    const spent = await client.getSpend(chat.id);
    expect(await titleOf(chat)).toBeNull();
    slow.go();
    const told = await watching.until('chat_updated');
    watching.hangUp();
    expect(told.chat).toEqual(await client.getChat(chat.id));
    expect(told.chat.title).toBe('A walk');
    const after = await client.getSpend(chat.id);
    expect(after).toMatchObject({
      prompt_tokens: spent.prompt_tokens + 100,
      completion_tokens: spent.completion_tokens + 10,
      turns: 1,
      cost_usd: expect.closeTo(spent.cost_usd! + 0.0002, 12),
    });
    const [asked, ...more] = askedFor();
    expect(more).toEqual([]);
    expect(asked?.rejected).toBeUndefined();
    expect(asked?.body.tools).toBeUndefined();
    expect(asked?.body.max_tokens ?? asked?.body.max_completion_tokens).toBe(40);
    const said = JSON.stringify(asked?.body);
    expect(said).toMatch(/Where\? x{992,993}[^x]/);
    expect(said).toContain('<assistant>\\nok\\n</assistant>');
    expect(said).not.toContain('CONTEXT');
    await client.say(chat.id, 'And now?');
    expect(askedFor()).toHaveLength(1);
    expect((await client.listMessages(chat.id)).messages).toHaveLength(4);
  });

  test.each([
    ['Title', 'Title'],
    ['  „Ein Titel“.  ', 'Ein Titel'],
    ['\n\n# Heading...\nmore', 'Heading'],
    ['«Прогулка»', 'Прогулка'],
    ['散歩の話。', '散歩の話'],
    [`${'long '.repeat(30)}`, 'long '.repeat(16).trim()],
    [`${'a'.repeat(79)}😀😀`, 'a'.repeat(79)],
    ['U.S. history', 'U.S. history'],
  ])('turns %j into %j', async (answer, title) => {
    const chat = await kernel.client.createChat();
    titles.push(says(answer));
    await kernel.client.say(chat.id, 'Hi.');
    await expect.poll(() => titleOf(chat)).toBe(title);
  });

  test('[CHAT-5] retries an empty or failed title after the next turn, at most three times', async () => {
    const { client } = kernel;
    const chat = await client.createChat();
    titles.push(says(' "" '), { error: 'unauthorized' }, says('...'), says('Too late'));
    // A turn that ends while the title request of the previous one is still running starts none.
    const sayUntil = (asked: number) =>
      expect
        .poll(async () => {
          await client.say(chat.id, 'Hi.');
          return askedFor().length;
        })
        .toBe(asked);
    for (const asked of [1, 2, 3]) {
      await sayUntil(asked);
      await askedFor().at(-1)?.ended;
    }
    for (let turn = 0; turn < 5; turn++) await client.say(chat.id, 'Hi.');
    expect(askedFor()).toHaveLength(3);
    expect(await titleOf(chat)).toBeNull();
    expect(titles).toHaveLength(1);
  });

  test('[CHAT-5] [TURN-8] keeps an existing title, and one that is set during the request', async () => {
    const { client } = kernel;
    const named = await client.createChat({ title: 'Mine' });
    await client.say(named.id, 'Hi.');
    const surface = await client.createChat();
    await client.say(surface.id, 'Hi.', { chat_title: 'Of a surface', guest: true });
    expect(askedFor()).toEqual([]);

    const chat = await client.createChat();
    const slow = held({ text: 'Of a model' });
    titles.push(slow.reply);
    await client.say(chat.id, 'Hi.');
    await expect.poll(() => askedFor().length).toBe(1);
    const before = (await client.getSpend(chat.id)).prompt_tokens;
    await client.patchChat(chat.id, { title: 'Of mine' });
    await client.patchChat(chat.id, { title: null });
    slow.go();
    // The title request is billed anyway.
    await expect.poll(async () => (await client.getSpend(chat.id)).prompt_tokens).toBeGreaterThan(before);
    expect(await titleOf(chat)).toBeNull();
  });

  test('[TURN-8] adds titles after turns of guests, and none after failed or canceled turns', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next({ error: 'unauthorized' }, stuck({ text: 'Half' }));
    await client.say(chat.id, 'Hi.');
    const cut = await client.begin(chat.id, { text: 'Hi.' });
    await cut.until('text_delta');
    await client.cancelTurn(chat.id);
    expect(askedFor()).toEqual([]);
    titles.push(says('Of a guest'));
    await client.say(chat.id, 'Hi.', { guest: true, sender: 'Ann' });
    await expect.poll(() => titleOf(chat)).toBe('Of a guest');
  });

  test('[CHAT-5] requests the title from the model of the turn, without reasoning if possible, else with more output tokens', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    upstream.next(calls('p', 'plan', { tasks: [] }), says('Planned.'));
    titles.push(says('A plan'));
    await client.say(chat.id, 'Hi.', { model: 'scripted/thinker', effort: 'high' });
    await expect.poll(() => titleOf(chat)).toBe('A plan');
    const [asked] = askedFor();
    expect(asked?.body).toMatchObject({ model: 'thinker', reasoning_effort: 'low' });
    expect(asked?.body.max_tokens ?? asked?.body.max_completion_tokens).toBe(1000);
    expect(JSON.stringify(asked?.body)).toContain('<assistant>\\nPlanned.\\n</assistant>');
  });

  test('cancels the title request when its chat is deleted', async () => {
    const { api, client } = kernel;
    const chat = await client.createChat();
    titles.push({ steps: [{ text: 'Half' }, SILENCE] });
    await client.say(chat.id, 'Hi.');
    await expect.poll(() => askedFor().length).toBe(1);
    expect((await api.delete(`/v1/chats/${chat.id}`)).status).toBe(200);
    expect(await askedFor()[0]?.ended).toBe('aborted');
  });
});

test('[CHAT-7] stops without waiting for a title, and counts the cost of a partial one', async () => {
  const directory = temporaryDirectory();
  const upstream = await startUpstream();
  const own = await startKernel({ upstream, settings, dataDir: directory.path });
  const chat = await own.client.createChat();
  upstream.next(says('Hello.'), stuck({ text: 'Half a title '.repeat(10) }));
  await own.client.say(chat.id, 'Hi.');
  await expect.poll(() => upstream.requests.length).toBe(2);
  const before = await own.client.getSpend(chat.id);
  const begun = Date.now();
  await own.stop();
  expect(Date.now() - begun).toBeLessThan(20_000);
  expect(await upstream.requests[1]?.ended).toBe('aborted');
  const next = await startKernel({ upstream, settings, dataDir: directory.path });
  const after = await next.client.getSpend(chat.id);
  expect(after.prompt_tokens).toBeGreaterThan(before.prompt_tokens + 50);
  expect(after.turns).toBe(before.turns);
  await next.stop();
  await upstream.close();
  directory.remove();
});

test('uses the model of titles.model, and refuses to start if it does not exist', async () => {
  const own = await startKernel({
    settings: { ...settings, titles: { enabled: true, model: 'scripted/cheap' } },
  });
  const chat = await own.client.createChat();
  own.upstream.next(says('Hello.'), says('Cheap'));
  await own.client.say(chat.id, 'Hi.');
  await expect.poll(async () => (await own.client.getChat(chat.id)).title).toBe('Cheap');
  expect(own.upstream.requests.map(({ model }) => model)).toEqual(['plain', 'cheap']);
  await own.stop();
  await expect(
    startKernel({ settings: { ...settings, titles: { model: 'scripted/none' } } }),
  ).rejects.toThrow(/titles\.model is scripted\/none, which is not a known model/);
});

test('requests no title from the demo model', async () => {
  const upstream = await startUpstream();
  const clock = new DemoClock();
  const { providers } = settingsFor(upstream.url, 'openai-compatible').llm ?? {};
  const own = await startKernel({
    upstream,
    clock,
    settings: {
      titles: { enabled: true },
      llm: { default_model: 'demo/demo', providers: { ...providers, demo: { kind: 'demo' } } },
    },
  });
  onTestFinished(async () => {
    await upstream.close();
    await own.stop();
  });
  const chat = await own.client.createChat();
  // The demo's first answer explains how to make it fail, which would also make a title request fail; the second does
  // not.
  for (const text of ['Hi.', 'Hi again.']) await own.client.say(chat.id, text);
  const body = await own.client.getSpend(chat.id);
  const said = clock.words;
  expect(said).toBeGreaterThan(0);
  // A title that was requested later arrives.
  const other = await own.client.createChat({ model: 'scripted/plain' });
  upstream.next(says('Hello.'), says('A title'));
  await own.client.say(other.id, 'Hi.');
  await expect.poll(async () => (await own.client.getChat(other.id)).title).toBe('A title');
  expect(clock.words).toBe(said);
  expect(await own.client.getSpend(chat.id)).toEqual(body);
  expect((await own.client.getChat(chat.id)).title).toBeNull();
});
