/**
 * Tests that a failed summary changes nothing, compaction on demand, and a provider that rejects a request as too long.
 */
import type { Message } from '@chat-kernel/protocol';
import { describe, expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { KINDS } from '../harness/settings.ts';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { calls, eventsOf, held, says, shape, stuck, withoutItems } from '../harness/story.ts';
import type { ScriptedReply } from '../upstream/reply.ts';

const MARKER = '[compacted] Older history was folded into the chat summary here.';
const SUMMARY = says('## Goal\nTea for two.');
const OVERFLOW: ScriptedReply = { error: 'context_overflow' };
/** The window of the model is 100,000 tokens. */
const full = (text: string): ScriptedReply => ({
  steps: [{ text }, { usage: { prompt: 85_000, completion: 10 } }],
});

const kernel = sharedKernel();

const told = (fromLast = 1): string =>
  JSON.stringify(kernel.upstream.requests.at(-fromLast)?.body.messages.slice(1));
const summaryOf = async (chatId: string) => (await kernel.client.getChat(chatId)).summary;
const textsOf = async (chatId: string): Promise<string[]> =>
  (await kernel.client.listMessages(chatId, { limit: 500 })).messages.map(({ content }: Message) =>
    content.map(block => ('text' in block ? block.text : block.type)).join(),
  );

/** Creates a chat of these exchanges: `<word> question` and `<word> answer` each. */
async function chatOf(...words: string[]): Promise<string> {
  const { client, upstream } = kernel;
  const { id } = await client.createChat();
  for (const word of words) {
    upstream.next(says(`${word} answer`));
    await client.say(id, `${word} question`);
  }
  return id;
}

describe('[HIST-1] a failed summary', () => {
  test.each<[string, ScriptedReply]>([
    ['the provider fails', { error: 'unauthorized' }],
    ['it is empty', says(' \n')],
    ['its sections are empty', says('## Goal\nNone.')],
    ['it was truncated', { steps: [{ text: '## Goal\nTea for' }], finish: 'length' }],
    ['a filter stopped it', { steps: [{ text: '## Goal\nTea for' }], finish: 'content_filter' }],
    ['the connection breaks', { steps: [{ text: '## Goal' }], cut: { after_steps: 1 } }],
  ])('leaves everything unchanged because %s, and the next turn tries again', async (_, failure) => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha');
    upstream.next(full('beta answer'), failure);
    const events = await client.say(chat, 'beta question');
    expect(shape(withoutItems(events))).toEqual(['text_delta', 'usage', 'compacting', 'done']);
    expect(eventsOf(events, 'done')).toMatchObject([{ status: 'completed', stop_reason: 'stop' }]);
    expect(await summaryOf(chat)).toBeNull();
    expect(await textsOf(chat)).toEqual(['alpha question', 'alpha answer', 'beta question', 'beta answer']);

    upstream.next(SUMMARY, says('gamma answer'));
    expect(shape(withoutItems(await client.say(chat, 'gamma question')))[0]).toBe('compacting');
    expect(await summaryOf(chat)).toMatchObject({ text: expect.stringContaining('Tea for two') });
    expect(told()).toMatch(/Tea for two.*gamma question/);
    expect(told()).not.toContain('alpha');
  });

  test('is requested once per turn, and its cost is counted', async () => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha', 'beta');
    const before = upstream.requests.length;
    upstream.next(
      { steps: [{ call: { name: 'nothing' } }, { usage: { prompt: 85_000, completion: 1 } }] },
      { steps: [{ text: '' }, { usage: { prompt: 500, completion: 1 } }] },
      { steps: [{ call: { name: 'nothing' } }, { usage: { prompt: 86_000, completion: 1 } }] },
      full('Done.'),
    );
    const events = await client.say(chat, 'Go.');
    expect(eventsOf(events, 'compacting')).toHaveLength(1);
    expect(upstream.requests.slice(before)).toHaveLength(4);
    expect(eventsOf(events, 'done')[0]?.usage.prompt_tokens).toBe(85_000 + 500 + 86_000 + 85_000);
  });
});

describe('POST compact', () => {
  const compact = (chat: string) => kernel.api.post(`/v1/chats/${chat}/compact`);

  test('[HIST-1] compacts at once, whatever the context size, and returns the summary', async () => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha', 'beta', 'gamma');
    await client.patchChat(chat, { compaction: 'off' });
    const watching = await client.watchAll();
    upstream.next({ steps: [{ text: '## Goal\nTea.' }, { usage: { prompt: 400, completion: 7 } }] });
    const before = await client.getSpend(chat);
    const { status, body } = await compact(chat);
    expect([status, body]).toEqual([200, { folded: true, summary: await summaryOf(chat) }]);
    const updated = await watching.until(event => event.type === 'chat_updated' && event.chat.id === chat);
    expect(updated).toMatchObject({ chat: { summary: body.summary } });
    watching.hangUp();
    const after = await client.getSpend(chat);
    expect([after.prompt_tokens - before.prompt_tokens, after.turns - before.turns]).toEqual([400, 0]);
    expect((await textsOf(chat)).slice(4)).toEqual(['gamma question', 'gamma answer', MARKER]);
    expect((await client.items(chat)).at(-1)).toMatchObject({ kind: 'compaction', turn_id: null });
    await client.say(chat, 'And?');
    expect(told()).toMatch(/Tea\..*gamma question.*gamma answer.*And\?/);
    expect(told()).not.toMatch(/alpha|beta/);
  });

  test('[HIST-1] finds nothing to compact in a chat of one turn, in a new one, and right after a compaction', async () => {
    const { client, upstream } = kernel;
    const before = upstream.requests.length;
    const { id } = await client.createChat();
    expect((await compact(id)).body).toEqual({ folded: false });
    const one = await chatOf('alpha');
    expect((await compact(one)).body).toEqual({ folded: false });
    upstream.next(calls('a', 'nothing', {}), calls('b', 'nothing', {}), says('Done.'));
    await client.say(id, 'Go.');
    expect((await compact(id)).body).toEqual({ folded: false });
    expect(upstream.requests.length - before).toBe(1 + 3);
    const two = await chatOf('alpha', `${'long '.repeat(500)}beta`);
    upstream.next(SUMMARY);
    expect((await compact(two)).body.folded).toBe(true);
    expect((await compact(two)).body).toEqual({ folded: false });
    await client.say(two, 'And?');
    expect(told()).toMatch(/beta question.*beta answer.*And\?/);
  });

  test('[HIST-1] is rejected while a turn runs, and returns 404 for an unknown chat', async () => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha', 'beta');
    upstream.next(stuck({ text: 'Well' }));
    const stream = await client.begin(chat, { text: 'Hi.' });
    await stream.until('text_delta');
    expect(await compact(chat)).toMatchObject({ status: 409, body: { code: 'turn_running' } });
    await client.cancelTurn(chat);
    await stream.all();
    expect((await compact('01900000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await compact('first')).status).toBe(404);
  });

  test.each<[string, ScriptedReply]>([
    ['fails', { error: 'unauthorized' }],
    ['returns nothing', says('')],
    ['returns a truncated text', { steps: [{ text: 'Tea for' }], finish: 'length' }],
  ])('[HIST-1] returns 502 and changes nothing if the provider %s', async (_, failure) => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha', 'beta');
    const texts = await textsOf(chat);
    upstream.next(failure);
    expect(await compact(chat)).toMatchObject({ status: 502, body: { code: 'upstream_error' } });
    expect([await summaryOf(chat), await textsOf(chat)]).toEqual([null, texts]);
    await client.say(chat, 'And?');
    expect(told()).toMatch(/alpha question.*beta answer.*And\?/);
  });

  test('[HIST-1] answers a message sent during the compaction afterwards, with the summary', async () => {
    const { client, upstream } = kernel;
    const chat = await chatOf('alpha', 'beta');
    const late = held({ text: '## Goal\nTea for two.' });
    upstream.next(late.reply, says('gamma answer'));
    const count = upstream.requests.length;
    const folding = compact(chat);
    await expect.poll(() => upstream.requests.length).toBe(count + 1);
    const turn = client.say(chat, 'gamma question');
    late.go();
    expect((await folding).body.folded).toBe(true);
    expect(shape(await turn).at(-1)).toBe('done');
    expect(told()).toMatch(/Tea for two.*beta question.*gamma question/);
    expect((await textsOf(chat)).slice(4)).toEqual([MARKER, 'gamma question', 'gamma answer']);
  });
});

describe.each(KINDS)('a request that is too long for %s', kind => {
  const own = sharedKernel({ kind });

  async function begun(fields = {}): Promise<string> {
    const chat = await own.client.createChat(fields);
    own.upstream.next(says('alpha answer'), says('beta answer'));
    await own.client.say(chat.id, 'alpha question');
    await own.client.say(chat.id, 'beta question');
    return chat.id;
  }
  const said = () => JSON.stringify(own.upstream.requests.at(-1)?.body);

  test('[HIST-1] [EV-5] is compacted once and sent again', async () => {
    const chat = await begun();
    own.upstream.next(OVERFLOW, SUMMARY, says('gamma answer'));
    const events = await own.client.say(chat, 'gamma question');
    expect(shape(withoutItems(events))).toEqual(['compacting', 'text_delta', 'usage', 'done']);
    expect(eventsOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    expect(said()).toMatch(/Tea for two.*gamma question/);
    expect(said()).not.toMatch(/alpha/);
    expect(comparable(await own.client.items(chat)).slice(-2)).toEqual(comparable(foldItems(events)));
  });

  test('[HIST-1] fails the turn if it is too long again', async () => {
    const chat = await begun();
    own.upstream.next(OVERFLOW, SUMMARY, OVERFLOW);
    const events = await own.client.say(chat, 'gamma question');
    expect(shape(withoutItems(events))).toEqual(['compacting', 'error', 'done']);
    expect(eventsOf(events, 'error')).toMatchObject([{ code: 'context_overflow' }]);
    expect(eventsOf(events, 'done')).toMatchObject([{ status: 'failed' }]);
    own.upstream.next(says('delta answer'));
    await own.client.say(chat, 'delta question');
    expect(said()).toMatch(/Tea for two.*gamma question.*delta question/);
  });

  test('[HIST-1] is summarized in smaller pieces if those are also too long', async () => {
    const chat = await begun();
    own.upstream.next(says(`delta ${'long '.repeat(2000)}`), says('short'));
    await own.client.say(chat, 'gamma question');
    await own.client.say(chat, 'delta question');
    own.upstream.next(
      OVERFLOW,
      OVERFLOW,
      says('## Goal\nFirst half.'),
      says('## Goal\nBoth halves.'),
      says('Done.'),
    );
    const events = await own.client.say(chat, 'epsilon question');
    expect(eventsOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    expect(said()).toMatch(/Both halves.*epsilon question/);
    expect(JSON.stringify(own.upstream.requests.at(-2)?.body)).toMatch(/First half/);
  });

  test('[HIST-1] fails the turn at once if compaction is off or has nothing to compact', async () => {
    const chat = await begun({ compaction: 'off' });
    const { id: empty } = await own.client.createChat();
    for (const id of [chat, empty]) {
      own.upstream.next(OVERFLOW);
      const events = await own.client.say(id, 'gamma question');
      expect(shape(withoutItems(events))).toEqual(['error', 'done']);
      expect(eventsOf(events, 'error')).toMatchObject([{ code: 'context_overflow' }]);
    }
  });
});
