/** The process is killed while it folds, forks, rewinds, sleeps, lets sub-agents work and waits for a client. */
import { type Chat, COMPACTION_MARKER, type Item, type Message } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUMMARY_SYSTEM } from '../../packages/kernel/src/history/summary.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import type { EventStream } from '../harness/event-stream.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { type Said, seedChat, seed as seedStore } from '../harness/seed.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { startUpstream } from '../upstream/server.ts';
import type { RecordedRequest } from '../upstream/wire.ts';

/** On a machine on which kernels start slowly there are fewer kills, and never less than these. */
const FEWEST_KILLS = 5;
const KILLS = 14;
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

/** Answers by what it is asked for; a summary comes slowly. */
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
  // A message that was never answered stands in one with the next.
  if (text.includes('Still there?')) return { steps: [words(2, 0)] };
  // The history is as heavy as it says: it is folded before done.
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

/** The chats, by what happens in them. */
let chats: Record<'folded' | 'forked' | 'rewound' | 'sleeper' | 'lead' | 'hands', string>;
/** The seeded messages, in their order. */
let longIds: string[];
let rewoundIds: string[];
beforeAll(async () => {
  const said = (count: number, words: string) =>
    Array.from({ length: count }, (_, n): Said => [n % 2 === 0 ? 'user' : 'assistant', `m${n} ${words}`]);
  await seedStore({ dataDir }, async store => {
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

/** The facts that one life of the kernel has acknowledged. */
interface Life {
  /** Turns whose message was taken, with what their streams said. */
  turns: { chat: string; text: string; stream: EventStream }[];
  folds: { upto_message: string }[];
  forks: { id: string; before: string }[];
  /** Where the chat was to be cut, and whether that was acknowledged. */
  rewind: { at: number; done: boolean } | undefined;
  /** Asleep or not, as was said last; undefined: something was asked for and never answered. */
  asleep: boolean | undefined;
  /** The sleeping turn may have been woken. */
  woke: boolean;
}

test(`[HIST-1] [FORK-1] [MSG-3] [SLP-4] [BT-10] [OP-10] up to ${KILLS} kills in the midst of long work lose nothing that was acknowledged (seed ${seed})`, {
  timeout: 900_000,
}, async () => {
  const seen = { forks: 0, rewinds: 0, naps: 0, halves: 0 };
  let life: Life = newLife();
  kernel = await startKernelProcess({ upstream, dataDir });
  // The document is read once here, not later from a kernel that is about to be killed.
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
    await kernel.kill();
    const failures = (await work).filter(result => result.status === 'rejected' && !isDeath(result.reason));
    expect(failures).toEqual([]);
    kernel = await startKernelProcess({ upstream, dataDir });
    await check(life);
    seen.forks += life.forks.length;
    seen.rewinds += life.rewind?.done ? 1 : 0;
    seen.naps += life.turns.filter(({ stream }) => hasSlept(stream)).length;
    seen.halves += life.turns.filter(
      ({ stream }) => !stream.events.some(({ type }) => type === 'done'),
    ).length;
  }
  process.stdout.write(`${kill} kills\n`);
  // With all kills, every situation that one should cut has occurred.
  if (kill === KILLS) {
    for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
    expect((await kernel.api.get(`/v1/chats/${chats.folded}`)).body.summary).not.toBeNull();
  }
  expect(await kernel.stop()).toEqual({ code: 0, signal: null });
});

/** The kernel was killed while it was asked. */
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

/** Runs a turn; a chat that has room for it is folded by hand afterwards. */
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
  // Every time a bit more than before.
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

/** Checks what the next kernel finds, and that it can go on from there. */
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

/** Wakes whoever sleeps, and does what is asked for, until no chat has a turn. */
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

/** A summary and its marker are there together or not at all, and what was acknowledged is there. */
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
  // Folding removes no message.
  expect(messages.filter(({ turn_id }) => turn_id === null).length).toBeGreaterThanOrEqual(60);
}

const isMarker = (block: Message['content'][0] | undefined): boolean =>
  block !== undefined && 'text' in block && block.text === COMPACTION_MARKER;

/** A fork is whole or absent, whether or not anybody was told of it. */
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

/** All that stands behind the cut is gone, or none of it. */
let rewoundTo = LONG;
async function checkRewind({ rewind: asked }: Life): Promise<void> {
  const { length } = await everyItem(chats.rewound);
  if (asked === undefined) expect(length).toBe(rewoundTo);
  else expect(asked.done ? [asked.at] : [asked.at, rewoundTo]).toContain(length);
  rewoundTo = length;
}

/** Checks that no turn runs, every call has its result, every reading works, and another message is taken. */
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
