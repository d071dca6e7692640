/** Tests a process that is killed while it compacts, forks, rewinds, sleeps, runs sub-agents and waits for a client. */
import { type Chat, COMPACTION_MARKER, type Item, type Message } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SUMMARY_SYSTEM } from '../../packages/kernel/src/history/summary.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import type { EventStream } from '../harness/event-stream.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { AT_SCALE, atScale } from '../harness/scale.ts';
import { type Said, seedChat, seed as seedStore } from '../harness/seed.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { startUpstream } from '../upstream/server.ts';
import type { RecordedRequest } from '../upstream/wire.ts';

/** A machine on which kernels start slowly makes fewer kills, but at least this many. */
const FEWEST_KILLS = atScale(3, 5);
const KILLS = atScale(3, 14);
const KILLING_MS = 120_000;
/** Messages of the chat that is forked, and of the one that is rewound. */
const LONG = 3000;
const seed = Date.now() % 2 ** 31;
const random = fc.sample(fc.nat({ max: 9999 }), { numRuns: 997, seed });
let rolled = 0;
const dice = (below: number): number => (random[rolled++ % random.length] as number) % below;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

const directory = temporaryDirectory();
const dataDir = directory.path;
const upstream = await startUpstream(reply);
let kernel: KernelProcess;
afterAll(async () => {
  await kernel.kill();
  await upstream.close();
  directory.remove();
});

const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({ call: { name, input } });
const task = (name: string) => ({ name, task: 'Look around.' });

/** Responds according to the request; a summary comes slowly. */
function reply({ body }: RecordedRequest): ScriptedReply {
  const words = (count: number, delay_ms: number): ScriptedStep => ({
    text: Array.from({ length: count }, (_, n) => `word${n} `),
    delay_ms,
  });
  const [system, last] = [body.messages[0], body.messages.at(-1)];
  if (system.content === SUMMARY_SYSTEM) return { steps: [words(10, 1 + dice(20))] };
  const agent = system.content.includes('You are the sub-agent');
  if (last.role === 'tool') return { steps: [words(1 + dice(10), dice(20))] };
  if (agent)
    return { steps: [words(3, dice(10)), call('read_file', { files: [{ path: '/etc/hostname' }] })] };
  const text = JSON.stringify(last.content);
  // A message without an answer is merged with the next one.
  if (text.includes('Still there?')) return { steps: [words(2, 0)] };
  // The reported usage makes the history large enough to be compacted before done.
  if (text.includes('fill')) {
    return { steps: [words(5, 5), { usage: { prompt: 99_000, completion: 10, reasoning: 0, cached: 0 } }] };
  }
  if (text.includes('sleep')) return { steps: [call('sleep', {}), call('plan', { tasks: [] })] };
  if (text.includes('agents')) {
    return { steps: [words(2, 2), call('agent', { agents: [task('one'), task('two')] })] };
  }
  if (text.includes('operate')) return { steps: [call('shell', { commands: ['ls', 'pwd'] })] };
  return { steps: [words(2, 0)] };
}

/** The chats, named by what happens in them. */
let chats: Record<'folded' | 'forked' | 'rewound' | 'sleeper' | 'lead' | 'hands', string>;
/** The seeded messages, in their order. */
let longIds: string[];
let rewoundIds: string[];
beforeAll(async () => {
  const said = (count: number, words: string) =>
    Array.from({ length: count }, (_, n): Said => [n % 2 === 0 ? 'user' : 'assistant', `m${n} ${words}`]);
  await seedStore(dataDir, async store => {
    const folded = await seedChat(store, said(60, 'word '.repeat(500)));
    const forked = await seedChat(store, said(LONG, 'word '.repeat(20)));
    const rewound = await seedChat(store, said(LONG, 'word '.repeat(20)));
    [longIds, rewoundIds] = [forked.ids, rewound.ids];
    const empty = async () => (await seedChat(store, [])).chat;
    chats = {
      folded: folded.chat,
      forked: forked.chat,
      rewound: rewound.chat,
      sleeper: await empty(),
      lead: await empty(),
      hands: await empty(),
    };
  });
});

/** The facts that the kernel acknowledged between two kills. */
interface Life {
  /** Turns whose message was accepted, with the text of their streams. */
  turns: { chat: string; text: string; stream: EventStream }[];
  folds: { upto_message: string }[];
  forks: { id: string; before: string }[];
  /** Where the chat should be cut, and whether the kernel acknowledged it. */
  rewind: { at: number; done: boolean } | undefined;
  /** The last reported sleep state; undefined: a request has no response. */
  asleep: boolean | undefined;
  /** Whether the sleeping turn may have been woken. */
  woke: boolean;
}

test(`[HIST-1] [FORK-1] [MSG-3] [SLP-4] [BT-10] [OP-10] loses no acknowledged data over up to ${KILLS} kills in the middle of long work (seed ${seed})`, {
  timeout: 900_000,
}, async () => {
  const seen = { forks: 0, rewinds: 0, naps: 0, halves: 0 };
  let life: Life = newLife();
  kernel = await startKernelProcess({ upstream, dataDir });
  // Read the document here, not later from a kernel that is about to be killed.
  await kernel.api.document();
  const began = Date.now();
  let kill = 0;
  for (; kill < KILLS && (kill < FEWEST_KILLS || Date.now() - began < KILLING_MS); kill++) {
    life = newLife();
    const work = Promise.allSettled([
      ...(['folded', 'sleeper', 'lead', 'hands'] as const).map(name => speak(life, name, kill)),
      fork(life),
      rewind(life, kill),
      sleepAndWake(life),
      answerRequests(),
    ]);
    await pause(dice(900));
    // A slow machine does not come far in this time, so later kernels run until what is missing has occurred.
    if (kill >= KILLS / 2) {
      await vi.waitFor(() => expect(missing(seen, life)).toEqual([]), PATIENCE);
      await vi.waitFor(async () => expect(await summary()).not.toBeNull(), PATIENCE);
    }
    await kernel.kill();
    const failures = (await work).filter(result => result.status === 'rejected' && !isDeath(result.reason));
    expect(failures).toEqual([]);
    kernel = await startKernelProcess({ upstream, dataDir });
    await check(life);
    const { forks, rewinds, naps } = occurred(life);
    seen.forks += forks;
    seen.rewinds += rewinds;
    seen.naps += naps;
    seen.halves += life.turns.filter(
      ({ stream }) => !stream.events.some(({ type }) => type === 'done'),
    ).length;
  }
  process.stdout.write(`${kill} kills\n`);
  // With all kills at scale, every situation to interrupt has occurred.
  if (AT_SCALE && kill === KILLS) {
    for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
    expect(await summary()).not.toBeNull();
  }
  expect(await kernel.stop()).toEqual({ code: 0, signal: null });
});

const summary = async (): Promise<unknown> =>
  (await kernel.api.get(`/v1/chats/${chats.folded}`)).body.summary;

/** How often each situation occurred before the kill. */
const occurred = (life: Life) => ({
  forks: life.forks.length,
  rewinds: life.rewind?.done ? 1 : 0,
  naps: life.turns.filter(({ stream }) => hasSlept(stream)).length,
});

/** The situations that have not occurred yet, neither before earlier kills nor now. */
const missing = (seen: ReturnType<typeof occurred>, life: Life): string[] =>
  Object.entries(occurred(life)).flatMap(([what, count]) =>
    count + seen[what as keyof typeof seen] > 0 ? [] : [what],
  );
const PATIENCE = { timeout: 30_000, interval: 20 };

/** Whether the kernel was killed during the request. */
const isDeath = (error: { code?: string }): boolean =>
  ['ECONNRESET', 'ECONNREFUSED'].includes(error.code ?? '');

const newLife = (): Life => ({
  turns: [],
  folds: [],
  forks: [],
  rewind: undefined,
  asleep: false,
  woke: false,
});

const WORDS = {
  folded: (n: number) =>
    n % 2 === 0 ? `fill ${n} ${'word '.repeat(3000)}` : `talk ${n} ${'word '.repeat(3000)}`,
  sleeper: (n: number) => `sleep ${n}`,
  lead: (n: number) => `agents ${n}`,
  hands: (n: number) => `operate ${n}`,
};

/** Runs a turn; a chat below its limit is compacted by hand afterwards. */
async function speak(life: Life, name: keyof typeof WORDS, n: number): Promise<void> {
  const [{ api }, chat, text] = [kernel, chats[name], WORDS[name](n)];
  const stream = await api.turn(chat, { text, client_ops: name === 'hands' });
  life.turns.push({ chat, text, stream });
  if (name !== 'folded') return;
  await stream.closed();
  const { status, body } = await api.post(`/v1/chats/${chat}/compact`);
  expect(status).toBe(200);
  if (body.folded) life.folds.push(body.summary);
}

async function fork(life: Life): Promise<void> {
  const { api } = kernel;
  for (;;) {
    const before = longIds.at(-1 - dice(100)) as string;
    const { status, body } = await api.post(`/v1/chats/${chats.forked}/fork`, { before_message: before });
    expect(status).toBe(201);
    life.forks.push({ id: body.id, before });
    await pause(dice(200));
  }
}

async function rewind(life: Life, n: number): Promise<void> {
  const { api } = kernel;
  await pause(dice(600));
  // A little more each time.
  const at = Math.max(1, LONG - (n + 1) * Math.floor(LONG / KILLS / 2));
  life.rewind = { at, done: false };
  const { status } = await api.delete(`/v1/chats/${chats.rewound}/messages/${rewoundIds[at]}`);
  expect(status).toBe(200);
  life.rewind.done = true;
}

async function sleepAndWake(life: Life): Promise<void> {
  const { api } = kernel;
  await pause(300 + dice(400));
  for (let asleep = true; ; asleep = !asleep) {
    life.asleep = undefined;
    if (asleep) await api.post('/v1/sleep', { reason: 'night' });
    else {
      life.woke = true;
      await api.post('/v1/sleep/wake');
    }
    life.asleep = asleep;
    await pause(dice(200));
  }
}

/** Some operations are done, others are open when the kernel dies. */
async function answerRequests(): Promise<void> {
  const { api } = kernel;
  for (;;) {
    await pause(dice(800));
    const { requests } = (await api.get('/v1/requests')).body;
    for (const { id, chat_id } of requests) {
      await api.post(`/v1/chats/${chat_id}/ops/result`, { id, result: 'done' });
    }
  }
}

const hasSlept = ({ events }: EventStream): boolean => events.some(({ type }) => type === 'sleeping');

/** Checks the data that the next kernel finds, and that it can continue from there. */
async function check(life: Life): Promise<void> {
  const { api } = kernel;
  const state = (await api.get('/v1/sleep')).body;
  if (life.asleep !== undefined) expect(state.asleep).toBe(life.asleep);
  for (const { chat, stream } of life.turns) {
    if (chat !== chats.sleeper || !hasSlept(stream) || life.woke) continue;
    expect((await api.get(`/v1/chats/${chat}/turns/${stream.turnId}`)).body.status).toBe('sleeping');
  }
  await allIdle();
  expect((await api.get('/v1/requests')).body.requests).toEqual([]);
  for (const turn of life.turns) await checkTurn(turn);
  await checkFolds(life);
  await checkForks(life);
  await checkRewind(life);
  for (const name of ['folded', 'sleeper', 'lead', 'hands'] as const) await checkChat(chats[name]);
  expect(upstream.requests.flatMap(({ rejected }) => rejected ?? [])).toEqual([]);
}

/** Wakes sleeping chats and executes requested operations until no chat has a turn. */
async function allIdle(): Promise<void> {
  const { api } = kernel;
  for (const deadline = Date.now() + 90_000; ; ) {
    await api.post('/v1/sleep/wake');
    for (const { id, chat_id } of (await api.get('/v1/requests')).body.requests) {
      await api.post(`/v1/chats/${chat_id}/ops/result`, { id, result: 'done' });
    }
    const { body } = await api.get('/v1/chats?limit=500');
    const busy = body.chats.filter(({ turn }: Chat) => turn !== null);
    if (busy.length === 0) return;
    if (Date.now() > deadline) throw new Error(`busy: ${JSON.stringify(busy)}`);
    await pause(20);
  }
}

async function checkTurn({ chat, text, stream }: Life['turns'][0]): Promise<void> {
  const { api } = kernel;
  const turn = (await api.get(`/v1/chats/${chat}/turns/${stream.turnId}`)).body;
  const done = stream.events.find(event => event.type === 'done');
  expect(done ? [done.status] : ['completed', 'failed']).toContain(turn.status);
  const own = (await api.items(chat)).filter(({ turn_id }) => turn_id === stream.turnId);
  expect(own.filter(({ kind }) => kind === 'user_message')).toMatchObject([{ text }]);
  if (turn.status !== 'failed') return;
  expect(turn.error.code).toBe('kernel_restarted');
  expect(own.at(-1)).toMatchObject({ kind: 'machine_note', note: 'kernel_restarted' });
}

/** Checks that a summary and its marker exist only together, and that everything acknowledged exists. */
async function checkFolds({ folds }: Life): Promise<void> {
  const { api } = kernel;
  const messages: Message[] = (await api.get(`/v1/chats/${chats.folded}/messages?limit=500`)).body.messages;
  const { summary } = (await api.get(`/v1/chats/${chats.folded}`)).body;
  const markers = messages.filter(({ content: [block] }) => isMarker(block));
  expect(markers.at(-1)?.created_at).toBe(summary?.created_at);
  if (summary !== null) {
    const place = (id: string) => messages.findIndex(message => message.id === id);
    expect(place(summary.upto_message)).toBeGreaterThanOrEqual(0);
    for (const { upto_message } of folds) {
      expect(place(summary.upto_message)).toBeGreaterThanOrEqual(place(upto_message));
    }
  }
  // Compaction removes no message.
  expect(messages.filter(({ turn_id }) => turn_id === null).length).toBeGreaterThanOrEqual(60);
}

const isMarker = (block: Message['content'][0] | undefined): boolean =>
  block !== undefined && 'text' in block && block.text === COMPACTION_MARKER;

/** Checks that a fork is complete or absent, acknowledged or not. */
async function checkForks({ forks }: Life): Promise<void> {
  const { api } = kernel;
  const all: Chat[] = (await api.get('/v1/chats?limit=500')).body.chats;
  const branches = all.filter(({ forked_from }) => forked_from === chats.forked);
  const ids = branches.map(({ id }) => id);
  for (const { id } of forks) expect(ids).toContain(id);
  const parent = await everyItem(chats.forked);
  for (const { id, forked_at_message } of branches) {
    const [marker, ...copy] = await everyItem(id);
    expect(marker).toMatchObject({ kind: 'machine_note', note: 'fork_marker' });
    const cut = longIds.indexOf(forked_at_message as string);
    expect(copy.map(plain)).toEqual(parent.slice(0, cut).map(plain));
    await api.delete(`/v1/chats/${id}`);
  }
}

const plain = ({ kind, status, ...item }: Item) => [kind, status, 'text' in item && item.text];

/** Either all messages after the cut are deleted, or none. */
let rewoundTo = LONG;
async function checkRewind({ rewind: asked }: Life): Promise<void> {
  const { length } = await everyItem(chats.rewound);
  if (asked === undefined) expect(length).toBe(rewoundTo);
  else expect(asked.done ? [asked.at] : [asked.at, rewoundTo]).toContain(length);
  rewoundTo = length;
}

/** Checks that no turn runs, every call has its result, all reads work, and a further message is accepted. */
async function checkChat(chat: string): Promise<void> {
  const { api } = kernel;
  const items = await everyItem(chat);
  expect(items.filter(({ status }) => status === 'running')).toEqual([]);
  for (const item of items) if (item.kind === 'tool_call') expect(item.output).toEqual(expect.any(String));
  const exported = await api.get(`/v1/chats/${chat}/export`);
  const lines = `${exported.body ?? ''}`.split('\n').filter(line => line !== '');
  // The first line is the chat itself.
  expect(lines.slice(1).map(line => JSON.parse(line).id)).toEqual(items.map(({ id }) => id));
  expect((await api.get(`/v1/chats/${chat}/messages?limit=500`)).status).toBe(200);
  const events = await api.say(chat, 'Still there?');
  expect(events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
}

async function everyItem(chat: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const { body } = await kernel.api.get(`/v1/chats/${chat}/items?limit=500${before}`);
    if (body.items.length === 0) return items;
    items.unshift(...body.items);
    before = `&before=${body.next_before}`;
  }
}
