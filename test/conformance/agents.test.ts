/** Tests sub-agents: runs inside a turn, each with its own context, whose last message the lead reads. */
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event, JsonObject, PendingRequest } from '@chat-kernel/protocol';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { HandsClient, type HandsOptions } from '../harness/hands.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { calls, eventsOf, says, stuck, textOf } from '../harness/story.ts';
import {
  type RecordedRequest,
  type ScriptedReply,
  startUpstream,
  type Upstream,
} from '../upstream/server.ts';

const SYNTHETIC = '[cancelled] The turn ended before this call returned a result.';

const directory = temporaryDirectory();
const workdir = realpathSync(directory.path);
/** The next replies of each speaker, by name; '' is the lead. An agent without a reply answers ok. */
const scripts = new Map<string, ScriptedReply[]>();
let upstream: Upstream;
let kernel: TestKernel;
beforeAll(async () => {
  upstream = await startUpstream(request => scripts.get(speakerOf(request))?.shift());
  kernel = await startKernel({ upstream, settings: { llm: { max_steps: 4 } } });
});
afterAll(async () => {
  await upstream.close();
  await kernel.stop();
  directory.remove();
});
afterEach(() => {
  expect(upstream.requests.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
  upstream.requests.length = 0;
  scripts.clear();
});

const systemOf = ({ body }: RecordedRequest): string => body.messages[0].content;

/** Returns the name of the sub-agent that sent the request, or '' for the lead. */
const speakerOf = (request: RecordedRequest): string =>
  /You are the sub-agent "(.*?)"/.exec(systemOf(request))?.[1] ?? '';

const requestsOf = (name: string) => upstream.requests.filter(request => speakerOf(request) === name);

const toolsOf = ({ body }: RecordedRequest): string[] =>
  (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);

/**
 * Lets the lead assign these tasks in its first step and say Done. in its second; the replies of agents are given by
 * name.
 */
function script(agents: JsonObject[], replies: Record<string, ScriptedReply[]> = {}): void {
  scripts.set('', [calls('lead', 'agent', { agents }), says('Done.')]);
  for (const [name, said] of Object.entries(replies)) scripts.set(name, said);
}

/** A call that reads a file, which it creates. */
function readsFile(path: string, content: string): ScriptedReply {
  writeFileSync(join(workdir, path), content);
  return calls('c', 'read_file', { files: [{ path }] });
}

const SCOUT = { name: 'scout', task: 'Find it.' };
const SMITH = { name: 'smith', task: 'Forge it.' };

const newChat = () => kernel.client.createChat({ workdir });
const handsOf = (options: Partial<HandsOptions> = {}) =>
  new HandsClient(kernel.api, { directory: workdir, ...options });

/** The result of the lead's call. */
const resultOf = (events: readonly Event[]) =>
  eventsOf(events, 'tool_result').find(({ name }) => name === 'agent');

/** A client with hands that decides nothing until `go`; `all` resolves when this many operations wait. */
function slowHands(count: number) {
  const gate = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  const hands = handsOf({
    async decide() {
      if (++waiting === count) all.resolve();
      await gate.promise;
      return 'allow' as const;
    },
  });
  return { hands, go: gate.resolve, all: all.promise };
}

const pending = async (): Promise<PendingRequest[]> => (await kernel.client.listRequests()).requests;

test('[BT-10] gives each sub-agent only its task and its role, and the lead their last messages', async () => {
  const chat = await newChat();
  await kernel.client.say(chat.id, 'A secret of the conversation.');
  script([SCOUT, SMITH], { scout: [says('Found.')], smith: [says(' Forged.\n')] });
  const events = await kernel.client.say(chat.id, 'Go.');
  expect(resultOf(events)).toMatchObject({
    output: '== scout\nFound.\n\n== smith\nForged.',
    is_error: false,
  });
  expect(textOf(events)).toBe('Done.');
  const [lead] = requestsOf('');
  for (const { name, task } of [SCOUT, SMITH]) {
    const [request, ...others] = requestsOf(name);
    expect(others).toEqual([]);
    expect(request?.body.messages.slice(1)).toEqual([{ role: 'user', content: task }]);
    // A sub-agent's prompt does not mention folded tools.
    const common = systemOf(lead as RecordedRequest).replace(/\n\n\[tools\]\n.*$/m, '');
    const own = `${common}\n\nYou are the sub-agent "${name}" of an assistant`;
    expect(systemOf(request as RecordedRequest).startsWith(own)).toBe(true);
  }
});

test('[BT-10] continues a sub-agent with its own calls, also under ids that others use', async () => {
  const chat = await kernel.client.createChat({ workdir, workdir_on: 'server' });
  writeFileSync(join(workdir, 'a.txt'), 'what stands in a');
  const look = calls('lead', 'read_file', { files: [{ path: 'a.txt' }] });
  script([SCOUT, SMITH], { scout: [look, says('Found.')], smith: [look, says('Forged.')] });
  const events = await kernel.client.say(chat.id, 'Go.');
  expect(resultOf(events)?.output).toBe('== scout\nFound.\n\n== smith\nForged.');
  expect(requestsOf('scout')[1]?.body.messages.slice(1)).toMatchObject([
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', tool_calls: [{ id: 'lead' }] },
    { role: 'tool', tool_call_id: 'lead', content: '== a.txt\nwhat stands in a' },
  ]);
});

test('[BT-10] gives a sub-agent the tools selected by name or group, and never tools reserved for the lead', async () => {
  const chat = await newChat();
  const extra_tools = [{ name: 'scan', description: 'Scans.' }];
  script([
    { ...SCOUT, name: 'all' },
    { ...SCOUT, name: 'named', tools: ['read_file', 'shell'] },
    { ...SCOUT, name: 'grouped', tools: ['files'] },
    { ...SCOUT, name: 'bare', tools: [] },
  ]);
  const events = await handsOf().turn(chat.id, { text: 'Go.', extra_tools });
  expect(resultOf(events)?.is_error).toBe(false);
  const offered = (name: string) => toolsOf(requestsOf(name)[0] as RecordedRequest);
  const own = ['agent', 'ask_questions', 'plan', 'think_harder', 'workdir', 'scan'];
  expect(offered('')).toEqual(expect.arrayContaining(own));
  expect(offered('all')).toEqual(expect.arrayContaining(['edit_file', 'read_file', 'shell', 'write_file']));
  expect(offered('all').filter(name => own.includes(name))).toEqual([]);
  expect(offered('named')).toEqual(['read_file', 'shell']);
  expect(offered('grouped')).toEqual(['edit_file', 'read_file', 'write_file']);
  expect(offered('bare')).toEqual([]);
});

test.each([
  'fly',
  'plan',
  'agent',
  'agents',
  'scan',
])('[BT-10] does not start a sub-agent with the tool %s, and lists the available tools to the lead', async name => {
  const chat = await newChat();
  script([{ ...SCOUT, tools: ['read_file', name] }]);
  const extra_tools = [{ name: 'scan', description: 'Scans.' }];
  const events = await handsOf().turn(chat.id, { text: 'Go.', extra_tools });
  expect(resultOf(events)).toMatchObject({
    output: expect.stringMatching(
      `^== scout\\n\\[this agent failed\\]\\nThere is no tool or group ${name} for sub-agents\\. Tools: .*edit_file, .*shell, .*write_file\\.$`,
    ),
    is_error: true,
  });
  expect(requestsOf('scout')).toEqual([]);
});

test('[OP-7] keeps operations of several sub-agents open at once, each under its name, and accepts each answer', async () => {
  const chat = await newChat();
  const { hands, go, all } = slowHands(2);
  script([SCOUT, SMITH], {
    scout: [readsFile('one.txt', 'one'), says('Found.')],
    smith: [readsFile('two.txt', 'two'), says('Forged.')],
  });
  const { stream, over } = await hands.begin(chat.id, { text: 'Go.' });
  await all;
  const operations = eventsOf(stream.events, 'client_op');
  const named = operations.map(({ agent, path }) => [agent, path]).sort();
  expect(named).toEqual([
    ['scout', join(workdir, 'one.txt')],
    ['smith', join(workdir, 'two.txt')],
  ]);
  const requests = await pending();
  expect(requests.map(({ id, agent, kind }) => [id, agent, kind])).toEqual(
    operations.map(({ id, agent }) => [id, agent, 'op']),
  );
  expect(requests.map(({ event }) => (event as { agent?: string }).agent)).toEqual(
    operations.map(({ agent }) => agent),
  );
  go();
  const events = await over;
  const items = eventsOf(events, 'item_completed').flatMap(({ item }) =>
    item.kind === 'client_op' ? [item] : [],
  );
  expect(items.map(({ agent, status, decision }) => [agent, status, decision]).sort()).toEqual([
    ['scout', 'completed', 'allow'],
    ['smith', 'completed', 'allow'],
  ]);
  expect(eventsOf(events, 'request_resolved').map(({ reason }) => reason)).toEqual(['answered', 'answered']);
  expect(hands.done.map(({ status }) => status)).toEqual([200, 200]);
  expect(requestsOf('scout')[1]?.body.messages.at(-1).content).toContain('one');
  expect(requestsOf('smith')[1]?.body.messages.at(-1).content).toContain('two');
  expect(await pending()).toEqual([]);
});

test('[OP-7] names no sub-agent in an operation of the lead', async () => {
  const chat = await newChat();
  scripts.set('', [readsFile('one.txt', 'one')]);
  const hands = handsOf();
  const events = await hands.turn(chat.id, { text: 'Go.' });
  expect(eventsOf(events, 'client_op')).toHaveLength(1);
  expect(eventsOf(events, 'client_op')[0]).not.toHaveProperty('agent');
});

test('[OP-8] [BT-10] accepts progress of a sub-agent without showing it, and shows what the agents do at the call', async () => {
  const chat = await newChat();
  const { hands, go, all } = slowHands(1);
  script([SCOUT], { scout: [readsFile('a.txt', 'contained'), says('Found.')] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { stream, over } = await hands.begin(chat.id, { text: 'Go.' });
  await all;
  const [operation] = eventsOf(stream.events, 'client_op');
  const progress = { id: operation?.id, output: 'half way' };
  const answer = await kernel.api.post(`/v1/chats/${chat.id}/ops/progress`, progress);
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  // A call shows at most four snapshots per second.
  await vi.advanceTimersByTimeAsync(250);
  vi.useRealTimers();
  await stream.until(event => event.type === 'tool_progress' && event.output === 'scout: read_file');
  go();
  const events = await over;
  const shown = eventsOf(events, 'tool_progress');
  expect(shown.map(({ id }) => id)).toEqual(shown.map(() => 'lead'));
  const drawn = events.filter(({ type }) => type === 'tool_progress' || type === 'item_delta');
  expect(JSON.stringify(drawn)).not.toMatch(/half way|contained/);
});

test('[TURN-10] [EV-13] [BT-10] a cancel ends all sub-agents at once, with their open requests to clients and to the model', async () => {
  const chat = await newChat();
  script([SCOUT, SMITH, { name: 'bard', task: 'Sing.' }], {
    scout: [calls('c', 'shell', { commands: ['touch never'] })],
    smith: [calls('c', 'write_file', { path: 'never', content: '' })],
    bard: [stuck({ text: 'La' })],
  });
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const hands = handsOf({
    decide() {
      if (++waiting === 2) both.resolve();
      return new Promise(() => {});
    },
  });
  const { stream, over } = await hands.begin(chat.id, { text: 'Go.' });
  await both.promise;
  await expect.poll(() => requestsOf('bard').length).toBe(1);
  const began = performance.now();
  const body = await kernel.client.cancelTurn(chat.id);
  expect(body).toEqual({ cancelled: true, turn_id: stream.turnId });
  // Only the cancel can end a turn whose clients and models never respond.
  expect(performance.now() - began).toBeLessThan(30_000);
  const events = await over;
  expect(eventsOf(events, 'request_resolved').map(({ reason }) => reason)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(resultOf(events)).toMatchObject({ output: SYNTHETIC, is_error: true });
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'cancelled' });
  expect(await requestsOf('bard')[0]?.ended).toBe('aborted');
  expect(requestsOf('')).toHaveLength(1);
  expect(hands.done).toEqual([]);
  expect(await pending()).toEqual([]);
});

test('[XT-4] [EV-13] [BT-10] a parallel call that ends the turn ends all sub-agents, and their tokens are counted', async () => {
  const chat = await newChat();
  const extra_tools = [{ name: 'finish', description: 'Ends.', ends_turn: true }];
  const agents = [SCOUT, SMITH];
  scripts.set('', [
    {
      steps: [
        { call: { id: 'a', name: 'agent', input: { agents } } },
        { call: { id: 'f', name: 'finish' } },
        { usage: { prompt: 100, completion: 10 } },
      ],
    },
  ]);
  const asking = { call: { id: 'c', name: 'shell', input: { commands: ['touch never'] } } };
  scripts.set('scout', [{ steps: [asking, { usage: { prompt: 50, completion: 5 } }] }]);
  scripts.set('smith', [stuck({ text: 'La' })]);
  const { stream, over } = await handsOf({ decide: () => 'ignore' }).begin(chat.id, {
    text: 'Go.',
    extra_tools,
  });
  const { id } = await stream.until('client_op');
  await expect.poll(() => requestsOf('smith').length).toBe(1);
  await kernel.client.answerRequest(chat.id, { id: 'f', result: 'Over.' });
  const events = await over;
  expect(eventsOf(events, 'request_resolved')).toEqual([
    expect.objectContaining({ id: 'f', reason: 'answered' }),
    expect.objectContaining({ id, reason: 'turn_ended' }),
  ]);
  expect(resultOf(events)).toMatchObject({ output: SYNTHETIC, is_error: true });
  const [done] = eventsOf(events, 'done');
  expect(done).toMatchObject({ status: 'completed', stop_reason: 'ends_turn' });
  expect(await requestsOf('smith')[0]?.ended).toBe('aborted');
  expect(done?.usage.prompt_tokens).toBeGreaterThan(200);
  expect(await kernel.client.getSpend(chat.id)).toMatchObject(done?.usage ?? {});
});

test('[BT-10] [EV-4] [CHAT-7] counts tokens that sub-agents spent before a cancel', async () => {
  const chat = await newChat();
  script([SCOUT], { scout: [{ steps: [{ text: 'Long. '.repeat(100) }, ...(stuck().steps ?? [])] }] });
  scripts.get('')?.[0]?.steps?.push({ usage: { prompt: 100, completion: 10 } });
  const stream = await kernel.client.begin(chat.id, { text: 'Go.' });
  await stream.until(event => event.type === 'tool_progress');
  await expect.poll(() => requestsOf('scout').length).toBe(1);
  await kernel.client.cancelTurn(chat.id);
  const events = await stream.all();
  expect(eventsOf(events, 'usage')).toMatchObject([{ prompt_tokens: 100, completion_tokens: 10 }]);
  const [cut, ...more] = eventsOf(events, 'agent_usage');
  expect(more).toEqual([]);
  expect(cut?.agent).toBe('scout');
  const { usage } = eventsOf(events, 'done')[0] as { usage: { prompt_tokens: number } };
  expect(usage.prompt_tokens).toBeGreaterThan(200);
  expect(usage.prompt_tokens).toBe(100 + (cut?.prompt_tokens ?? 0));
  const spend = await kernel.client.getSpend(chat.id);
  expect(spend).toMatchObject(usage);
});

test('[BT-10] returns the partial text of an interrupted sub-agent, and an error if it has none', async () => {
  const chat = await newChat();
  script([SCOUT, SMITH], {
    scout: [{ steps: [{ text: 'Nearly' }, { error: 'overloaded' }] }],
    smith: [{ steps: [{ thinking: 'Hm.' }] }],
  });
  const output = resultOf(await kernel.client.say(chat.id, 'Go.'))?.output;
  expect(output).toMatch(/^== scout\n\[this agent failed\]\n\S.*\n\nNearly\n\n== smith\n/s);
  expect(output).toMatch(/== smith\n\[this agent failed\]\nIt ended without a final message \(stop\)\.$/);
});

test('[BT-10] stops an endless sub-agent at the step limit, and continues the turn', async () => {
  const chat = await kernel.client.createChat({ workdir, workdir_on: 'server' });
  const again = readsFile('one.txt', 'one');
  script([SCOUT], { scout: [again, again, again, again, again] });
  const events = await kernel.client.say(chat.id, 'Go.');
  expect(requestsOf('scout')).toHaveLength(4);
  expect(resultOf(events)).toMatchObject({
    output: expect.stringMatching(/^== scout\n\[this agent failed\]\n.*: 4\.$/),
    is_error: true,
  });
  expect(events.at(-1)).toMatchObject({ status: 'completed' });
});

test('[WIRE-5] sends each provider request of a sub-agent as agent_usage, never as usage, and sums both in done.usage', async () => {
  const chat = await newChat();
  const spent = (prompt: number, completion: number) => ({ usage: { prompt, completion } });
  scripts.set('', [
    { steps: [{ call: { id: 'lead', name: 'agent', input: { agents: [SCOUT, SMITH] } } }, spent(1000, 10)] },
    { steps: [{ text: 'Done.' }, spent(2000, 20)] },
  ]);
  scripts.set('scout', [{ steps: [{ text: 'Found.' }, spent(300, 3)] }]);
  scripts.set('smith', [{ steps: [{ text: 'Forged.' }, spent(400, 4)] }]);
  const events = await kernel.client.say(chat.id, 'Go.');
  const model = { model: 'scripted/plain', reasoning_tokens: 0, cached_tokens: 0 };
  const agentUsage = { type: 'agent_usage', ...model };
  expect(eventsOf(events, 'usage')).toEqual([
    { type: 'usage', ...model, prompt_tokens: 1000, completion_tokens: 10, cost_usd: 0.0011 },
    { type: 'usage', ...model, prompt_tokens: 2000, completion_tokens: 20, cost_usd: 0.0022 },
  ]);
  expect(eventsOf(events, 'agent_usage').toSorted((a, b) => a.prompt_tokens - b.prompt_tokens)).toEqual([
    { ...agentUsage, prompt_tokens: 300, completion_tokens: 3, cost_usd: 0.00033, agent: 'scout' },
    { ...agentUsage, prompt_tokens: 400, completion_tokens: 4, cost_usd: 0.00044, agent: 'smith' },
  ]);
  const sum = { prompt_tokens: 3700, completion_tokens: 37 };
  const [done] = eventsOf(events, 'done');
  expect(done?.usage).toMatchObject(sum);
  const turn = await kernel.api.get(`/v1/chats/${chat.id}/turns/${done?.turn_id}`);
  expect(turn.body.usage).toMatchObject(sum);
  const spend = await kernel.client.getSpend(chat.id);
  expect(spend).toMatchObject({ ...sum, turns: 1 });
  expect(spend.cost_usd).toBeCloseTo((3700 + 37 * 10) / 1e6, 10);
  // The lead's prompt begins like that of a turn without sub-agents.
  const plain = await newChat();
  scripts.set('', [{ steps: [{ text: 'Done.' }, spent(2000, 20)] }]);
  await kernel.client.say(plain.id, 'Go.');
  expect(spend.prefix_tokens).toBe((await kernel.client.getSpend(plain.id)).prefix_tokens);
});

test('[BT-10] [ITEM-11] neither sends, shows nor stores intermediate text of sub-agents', async () => {
  const chat = await kernel.client.createChat({ workdir, workdir_on: 'server' });
  const step = readsFile('of-the-agent', 'of-the-agent');
  script([SCOUT], {
    scout: [
      { steps: [{ thinking: 'of-the-agent' }, { text: 'of-the-agent' }, ...(step.steps ?? [])] },
      says('Found.'),
    ],
  });
  const stream = await kernel.api.turn(chat.id, { text: 'Go.' });
  const events = await stream.all();
  expect(stream.raw).not.toContain('of-the-agent');
  expect(eventsOf(events, 'tool_call').map(({ name }) => name)).toEqual(['agent']);
  const { messages } = await kernel.client.listMessages(chat.id);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(JSON.stringify(messages)).not.toContain('of-the-agent');
  expect((await kernel.client.items(chat.id)).map(({ kind }) => kind)).toEqual([
    'user_message',
    'tool_call',
    'agent_message',
  ]);
});
