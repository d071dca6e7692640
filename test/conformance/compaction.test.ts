/** Tests that history is compacted into a summary before it is too long for its model, without any loss. */
import type { Message } from '@chat-kernel/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparable, foldItems } from '../harness/items.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { KINDS } from '../harness/settings.ts';
import { calls, eventsOf, says, shape, stuck, withoutItems } from '../harness/story.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { type RecordedRequest, startUpstream } from '../upstream/server.ts';

const MARKER = '[compacted] Older history was folded into the chat summary here.';
/** The window of these models is 100,000 tokens; compaction starts at 80,000. */
const FULL: ScriptedStep = { usage: { prompt: 85_000, completion: 10 } };
const full = (text: string): ScriptedReply => ({ steps: [{ text }, FULL] });
const SUMMARY =
  '## Goal\nTea for two.\n## Decisions\nGreen.\n## Open items\nNone.\n## Names and paths\n/tmp/tea\n## State of the work\nBrewing.';

const isSummary = ({ body }: RecordedRequest): boolean =>
  JSON.stringify(body).includes('You write the summary');

/** Replies of the model in turns, and those to requests for a summary. */
const answers: ScriptedReply[] = [];
const summaries: ScriptedReply[] = [];
let kernel: TestKernel;
beforeAll(async () => {
  const upstream = await startUpstream(request =>
    isSummary(request) ? (summaries.shift() ?? says(SUMMARY)) : answers.shift(),
  );
  kernel = await startKernel({
    upstream,
    settings: {
      llm: {
        models: [
          { id: 'scripted/plain', context_window: 100_000, price: { input: 1, output: 10 } },
          { id: 'scripted/small', context_window: 16_000 },
        ],
      },
    },
  });
});
afterAll(async () => {
  await kernel.upstream.close();
  await kernel.stop();
});

/** The conversation of the n-th last request: role and text of each message, without the system prompt. */
function asked(fromLast = 1): [role: string, text: string][] {
  const { body, rejected } = kernel.upstream.requests.at(-fromLast)!;
  expect(rejected).toBeUndefined();
  return body.messages
    .slice(1)
    .map(({ role, content }: { role: string; content: unknown }) => [
      role,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]);
}
const systemOf = (fromLast = 1): string => kernel.upstream.requests.at(-fromLast)?.body.messages[0].content;
const summaryOf = async (chatId: string) => (await kernel.client.getChat(chatId)).summary;
const messagesOf = async (chatId: string): Promise<Message[]> =>
  (await kernel.client.listMessages(chatId, { limit: 500 })).messages;
const textsOf = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) => content.map(block => ('text' in block ? block.text : block.type)).join());

/** A chat of two turns. The second has filled the window, and the history after the first was compacted. */
async function folded(summary: string = SUMMARY, fields = {}) {
  const { client } = kernel;
  const chat = await client.createChat(fields);
  answers.push(says('alpha answer'), full('beta answer'));
  summaries.push(says(summary));
  await client.say(chat.id, 'alpha question');
  const events = await client.say(chat.id, 'beta question');
  return { chat, events };
}

describe('a turn that fills the context window', () => {
  test('[EV-5] sends compacting before the pause, then the item, then done', async () => {
    const { chat, events } = await folded();
    expect(shape(withoutItems(events))).toEqual(['text_delta', 'usage', 'compacting', 'done']);
    const at = (find: (event: (typeof events)[number]) => boolean) => events.findIndex(find);
    const compacting = at(({ type }) => type === 'compacting');
    const item = at(event => event.type === 'item_completed' && event.item.kind === 'compaction');
    expect(compacting).toBeGreaterThan(at(event => event.type === 'item_completed'));
    expect(item).toBeGreaterThan(compacting);
    expect(item).toBeLessThan(at(({ type }) => type === 'done'));
    const live = comparable(foldItems(events));
    expect(live.map(({ kind }) => kind)).toEqual(['agent_message', 'compaction']);
    const history = await kernel.client.items(chat.id);
    expect(comparable(history).slice(-2)).toEqual(live);
    expect(history.map(({ kind }) => kind)).not.toContain('machine_note');
  });

  test('[MARK-1] stores the exact marker as one text block with role user, of the master', async () => {
    const { chat, events } = await folded();
    const messages = await messagesOf(chat.id);
    expect(textsOf(messages)).toEqual([
      'alpha question',
      'alpha answer',
      'beta question',
      'beta answer',
      MARKER,
    ]);
    const marker = messages.at(-1) as Message;
    expect(marker).toMatchObject({ role: 'user', master: true, content: [{ type: 'text', text: MARKER }] });
    expect(marker).not.toHaveProperty('sender');
    expect(eventsOf(events, 'done')[0]?.message_ids).toContain(marker.id);
  });

  test('[HIST-1] returns the summary of the chat and where it ends', async () => {
    const { chat } = await folded();
    const summary = await summaryOf(chat.id);
    const messages = await messagesOf(chat.id);
    expect(summary).toEqual({
      text: '## Goal\nTea for two.\n\n## Decisions\nGreen.\n\n## Open items\nNone.\n\n## Names and paths\n/tmp/tea\n\n## State of the work\nBrewing.',
      upto_message: messages[1]?.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('[HIST-1] [MARK-1] gives the model the summary, then the last exchange unchanged, then the new message', async () => {
    const { chat } = await folded();
    await kernel.client.say(chat.id, 'gamma question');
    const [first, second, third, ...rest] = asked();
    expect(first?.[0]).toBe('user');
    expect(first?.[1]).toMatch(/^.*\[summary\].*Tea for two.*beta question/s);
    expect([second, third, rest]).toEqual([['assistant', 'beta answer'], ['user', 'gamma question'], []]);
    expect(JSON.stringify(kernel.upstream.requests.at(-1)?.body)).not.toMatch(/alpha|\[compacted\]/);
  });

  test('[HIST-1] requests the summary with only the compacted history', async () => {
    await folded();
    expect(systemOf()).toContain('## State of the work');
    const [[role, text]] = asked() as [[string, string]];
    expect(role).toBe('user');
    expect(text).toContain('USER: alpha question\n\nASSISTANT: alpha answer');
    expect(text).not.toMatch(/beta|summary_so_far/);
    expect(kernel.upstream.requests.at(-1)?.body.tools).toBeUndefined();
  });

  test('[HIST-1] includes the first summary in a second compaction', async () => {
    const { chat } = await folded();
    answers.push(full('gamma answer'));
    summaries.push(says('## Goal\nSecond summary.'));
    await kernel.client.say(chat.id, 'gamma question');
    const [, text] = asked()[0] as [string, string];
    expect(text).toMatch(/<summary_so_far>.*Tea for two.*<\/summary_so_far>.*beta question.*beta answer/s);
    expect(text).not.toMatch(/alpha|gamma|\[compacted\]|\[summary\]/);
    await kernel.client.say(chat.id, 'delta question');
    expect(JSON.stringify(asked())).toMatch(/Second summary.*gamma question.*gamma answer.*delta question/s);
    expect(JSON.stringify(asked())).not.toMatch(/alpha|beta|Tea for two/);
    expect(textsOf(await messagesOf(chat.id)).filter(text => text === MARKER)).toHaveLength(2);
  });

  test('[CHAT-7] counts the cost of the summary for chat and turn, without a usage event', async () => {
    const { client, upstream } = kernel;
    const chat = await client.createChat();
    const used = (prompt: number): ScriptedStep => ({ usage: { prompt, completion: 10 } });
    answers.push({ steps: [{ text: 'a' }, used(1000)] }, { steps: [{ text: 'b' }, used(85_000)] });
    summaries.push({ steps: [{ text: SUMMARY }, used(300)] });
    await client.say(chat.id, '1');
    const events = await client.say(chat.id, '2');
    expect(eventsOf(events, 'usage').map(event => event.prompt_tokens)).toEqual([85_000]);
    expect(eventsOf(events, 'done')[0]?.usage.prompt_tokens).toBe(85_300);
    const body = await client.getSpend(chat.id);
    expect(body).toMatchObject({ prompt_tokens: 86_300, completion_tokens: 30, turns: 2 });
    // Roughly the part before any message: the opening and the tools.
    const first = upstream.requests.at(-2)?.body;
    const tools = first?.tools.map((tool: { function: object }) => tool.function);
    const prefix = (first?.messages[0].content.length + JSON.stringify(tools).length) / 4;
    expect(Math.abs(body.prefix_tokens - prefix)).toBeLessThan(prefix * 0.1);
  });

  test('[HIST-1] compacts nothing with profile off, also if the window is full', async () => {
    const { chat, events } = await folded(SUMMARY, { compaction: 'off' });
    expect(summaries.splice(0)).toHaveLength(1);
    expect(shape(withoutItems(events))).toEqual(['text_delta', 'usage', 'done']);
    await kernel.client.say(chat.id, 'gamma question');
    expect(await summaryOf(chat.id)).toBeNull();
    expect(JSON.stringify(asked())).toMatch(/alpha question.*beta question.*gamma question/s);
  });
});

test('[HIST-1] compacts a chat that changes to a smaller model before its request', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  answers.push(says('x'.repeat(60_000)), says('short answer'));
  await client.say(chat.id, 'alpha question');
  await client.say(chat.id, 'beta question');
  const before = upstream.requests.length;
  const events = await client.say(chat.id, 'gamma question', { model: 'scripted/small' });
  expect(shape(withoutItems(events))).toEqual(['compacting', 'text_delta', 'usage', 'done']);
  expect(JSON.stringify(asked())).toMatch(/Tea for two.*beta question.*short answer.*gamma question/s);
  expect(JSON.stringify(asked())).not.toContain('xxx');
  expect(comparable(await client.items(chat.id)).slice(-2)).toEqual(comparable(foldItems(events)));
  // The conversation exceeded the window of the small model, so it was summarized in pieces.
  const pieces = upstream.requests.slice(before, -1);
  expect(pieces.length).toBeGreaterThanOrEqual(4);
  expect(pieces.filter(({ model }) => model !== 'small')).toEqual([]);
  const read = pieces.map(({ body }) => body.messages[1].content as string);
  expect(read.join('').match(/x/g)?.length).toBeGreaterThanOrEqual(60_000);
  for (const text of read) expect(text.length / 4).toBeLessThan(16_000 * 0.4);
});

test('[HIST-1] estimates usage if the provider reports none', async () => {
  const { client } = kernel;
  const chat = await client.createChat({ model: 'scripted/small' });
  const long: ScriptedReply = { steps: [{ text: 'many words '.repeat(2200) }, { usage: null }] };
  answers.push(long, long);
  expect(shape(await client.say(chat.id, '1'))).not.toContain('compacting');
  expect(shape(await client.say(chat.id, '2'))).toContain('compacting');
});

test('[PLAN-1] [CHAT-6] repeats plan and notebook to the model after a compaction, also in the same turn', async () => {
  const { client } = kernel;
  const chat = await client.createChat();
  const tasks = [{ title: 'Boil water', status: 'in_progress' }];
  await client.setNotebook(chat.id, { text: 'Likes it green.' });
  answers.push(calls('p', 'plan', { tasks }), says('Planned.'), full('Full.'));
  summaries.push(says('## Goal\nAll folded.'));
  await client.say(chat.id, 'Plan.');
  await client.say(chat.id, 'Fill.');
  expect(JSON.stringify(asked())).not.toMatch(/Likes it green/);
  await client.say(chat.id, 'And?');
  const text = JSON.stringify(asked());
  expect(text).toMatch(/All folded.*\[plan\].*in_progress.*Boil water.*\[notebook\].*Likes it green/s);
  // Sent only once.
  await client.say(chat.id, 'And now?');
  expect(JSON.stringify(asked()).match(/Likes it green/g)).toHaveLength(1);

  // Compaction in the middle of a turn, which begins with a model that has a smaller window.
  answers.push(says('x'.repeat(60_000)), says('short'));
  await client.say(chat.id, 'Fill.');
  await client.say(chat.id, 'More.');
  await client.say(chat.id, 'Go on.', { model: 'scripted/small' });
  const again = JSON.stringify(asked());
  expect(again).toMatch(/Tea for two.*More\..*Go on\./s);
  expect(again.match(/Likes it green/g)).toHaveLength(1);
  expect(again.match(/Boil water/g)).toHaveLength(1);
});

test('[HIST-1] keeps call ids unique if a provider restarts them at 0 and older ones were compacted', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  let n = 0;
  // Vary the call: a turn that repeats a refused call ends.
  const call = (usage?: ScriptedStep): ScriptedReply => ({
    steps: [{ call: { id: 'call_0', name: 'nothing', input: { n: n++ } } }, ...(usage ? [usage] : [])],
  });
  const turns: ScriptedReply[][] = [
    [call(), call(), says('One.')],
    [call(), full('Two.')],
    [call(), full('Three.')],
    // Compacted several times inside the turn.
    [call(), call(FULL), call(FULL), call(FULL), call(), says('Four.')],
  ];
  for (const turn of turns) {
    answers.push(...turn);
    await client.say(chat.id, 'Go.');
  }
  const ids = (await client.items(chat.id)).flatMap(item =>
    item.kind === 'tool_call' ? [item.call_id] : [],
  );
  expect(ids).toHaveLength(9);
  expect(new Set(ids).size).toBe(9);
  expect(upstream.requests.flatMap(({ rejected }) => rejected ?? [])).toEqual([]);
});

test('[HIST-1] [CHAT-7] a cancel during compaction ends the turn, keeps the answer, compacts nothing, and counts the cost', async () => {
  const { client, upstream } = kernel;
  const chat = await client.createChat();
  answers.push(says('alpha'), full('beta'));
  summaries.push(stuck({ text: 'Half a summary. '.repeat(100) }));
  await client.say(chat.id, '1');
  const stream = await client.begin(chat.id, { text: '2' });
  await stream.until('compacting');
  expect((await client.cancelTurn(chat.id)).cancelled).toBe(true);
  const events = await stream.all();
  expect(eventsOf(events, 'done')).toMatchObject([{ status: 'cancelled' }]);
  expect(await upstream.requests.at(-1)?.ended).toBe('aborted');
  expect(await summaryOf(chat.id)).toBeNull();
  // The upstream has not counted the interrupted call: its estimate covers more than the prompt of the summary.
  const [usage] = eventsOf(events, 'usage');
  const [done] = eventsOf(events, 'done');
  expect(done?.usage.prompt_tokens).toBeGreaterThan((usage?.prompt_tokens ?? 0) + 100);
  const spent = (await client.getTurn(chat.id, stream.turnId)).usage;
  expect(spent).toEqual(done?.usage);
  expect(textsOf(await messagesOf(chat.id)).slice(0, 4)).toEqual(['1', 'alpha', '2', 'beta']);
  expect(comparable(await client.items(chat.id)).slice(-2)).toEqual(comparable(foldItems(events)));
  expect(shape(await client.say(chat.id, '3'))).toContain('compacting');
  expect(await summaryOf(chat.id)).not.toBeNull();
});

describe.each(KINDS)('of kind %s', kind => {
  test('[SVC-1] [HIST-1] starts each request after a compaction with all of the request before it', async () => {
    const own = await startKernel({ kind });
    const { client, upstream } = own;
    const field = {
      openai: 'input',
      'openai-compatible': 'messages',
      anthropic: 'messages',
      google: 'contents',
    }[kind];
    const chat = await client.createChat();
    upstream.next(says('a'), full('b'), says(SUMMARY), calls('c', 'nothing', {}), says('c'), says('d'));
    for (const text of ['1', '2', '3', '4']) await client.say(chat.id, text);
    const bodies = upstream.requests.slice(3).map(({ body, rejected }) => {
      expect(rejected).toBeUndefined();
      return JSON.parse(JSON.stringify(body, (key, value) => (key === 'cache_control' ? undefined : value)));
    });
    expect(bodies).toHaveLength(3);
    for (const [index, body] of bodies.slice(1).entries()) {
      const before = bodies[index][field];
      expect(JSON.stringify(body[field].slice(0, before.length))).toBe(JSON.stringify(before));
    }
    expect(JSON.stringify(bodies[0][field])).toMatch(/Tea for two.*2.*b.*3/s);
    await own.stop();
  });
});
