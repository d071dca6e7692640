/** Kernels of a fleet that are killed, or stopped for a while, under chats at work: nothing is lost, nothing runs twice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import type { EventStream } from '../harness/event-stream.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import type { ScriptedReply, ScriptedStep } from '../upstream/reply.ts';
import { startUpstream } from '../upstream/server.ts';

const KILLS = Number(process.env.KILLS ?? 5);
/** Each is longer than a kernel may be silent. */
const STOPS = Number(process.env.STOPS ?? 1);
const CHATS = Number(process.env.CHATS ?? 6);
const STOPPED_MS = 13_000;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const random = fc.sample(fc.nat({ max: 9999 }), { numRuns: 997, seed });
let rolled = 0;
const dice = (below: number): number => (random[rolled++ % random.length] as number) % below;
const oneOf = <Each>(all: readonly Each[]): Each => all[dice(all.length)] as Each;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

const directory = temporaryDirectory();
const ran = join(directory.path, 'ran');
let isOver = false;
const upstream = await startUpstream(() => (isOver ? undefined : reply()));
afterAll(async () => {
  await upstream.close();
  directory.remove();
  await stopPostgres();
});

let made = 0;
/** Thinks, talks slowly, runs a command that leaves a mark, asks its client; about every third answer ends its turn. */
function reply(): ScriptedReply {
  const words = Array.from({ length: 1 + dice(20) }, (_, n) => `word${n} `);
  const steps: ScriptedStep[] = [
    { thinking: ['hm ', 'so '], delay_ms: 2 },
    { text: words, delay_ms: 1 + dice(25) },
  ];
  for (let calls = dice(3); calls > 0; calls--) {
    const id = `call_${made++}`;
    const command = { id, name: 'shell', input: { commands: [`echo ${id} >> ${ran}`] } };
    steps.push({ call: dice(2) === 0 ? command : { id, name: 'scan', input: {} } });
  }
  return { steps };
}

interface Sent {
  chat: string;
  text: string;
  stream: EventStream;
  at: FleetKernel;
}

test(`[FLEET-2] [FLEET-3] ${KILLS} kills and ${STOPS} stops of one of three kernels: nothing acknowledged is lost, nothing runs twice (seed ${seed})`, {
  timeout: 600_000 + (KILLS + STOPS) * 60_000,
}, async () => {
  const fleet = await openFleet(upstream);
  const kernels = [await fleet.start('one'), await fleet.start('two'), await fleet.start('three')];
  const chats = await Promise.all(
    Array.from(
      { length: CHATS },
      async () => (await oneOf(kernels).api.newChat({ workdir: directory.path, workdir_on: 'server' })).id,
    ),
  );
  const sent: Sent[] = [];
  const over = new Set<EventStream>();
  const answered = new Map<string, number>();
  const ended = { kill: [] as number[], stop: [] as number[] };
  const wentOn = { kill: [] as number[], stop: [] as number[] };

  /** Sent until it is acknowledged, under one key, to whoever takes it. */
  async function post(chat: string, text: string): Promise<void> {
    const body = { text, extra_tools: [{ name: 'scan', description: 'Scans.', timeout_secs: 3 }] };
    const until = Date.now() + 120_000;
    for (;;) {
      const at = oneOf(kernels);
      try {
        const stream = await at.api.turn(chat, body, { 'idempotency-key': text });
        sent.push({ chat, text, stream, at });
        const end = () => over.add(stream);
        stream.closed().then(end, end);
        void work(chat, stream);
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
        await pause(100);
      }
    }
  }

  /** Does what the turn asks of its client, once. */
  async function work(chat: string, stream: EventStream): Promise<void> {
    for (let n = 0; ; n++) {
      while (n >= stream.events.length) {
        if (over.has(stream)) return;
        await pause(5);
      }
      const event = stream.events[n] as { type: string; id?: string; replayed?: boolean };
      if (event.type !== 'extra_tool_call' || event.replayed) continue;
      const id = event.id as string;
      answered.set(id, (answered.get(id) ?? 0) + 1);
      const body = { id, result: 'scanned' };
      for (let attempt = 0; attempt < 50; attempt++) {
        const answer = await oneOf(kernels)
          .api.post(`/v1/chats/${chat}/ops/result`, body)
          .catch(() => ({ status: 503 }));
        if (answer.status !== 503) break;
        await pause(100);
      }
    }
  }

  const rounds = [
    ...Array.from({ length: KILLS }, () => 'kill' as const),
    ...Array.from({ length: STOPS }, () => 'stop' as const),
  ];
  for (const [round, what] of rounds.entries()) {
    const posts = chats.flatMap(chat => [1, 2].map(n => post(chat, `message ${round}.${n} of ${chat}`)));
    await pause(dice(600));
    const victim = oneOf(kernels);
    const watched = sent.filter(
      ({ stream, at }) => at !== victim && !over.has(stream) && stream.headers['x-kernel'] === victim.id,
    );
    const began = performance.now();
    if (what === 'kill') await victim.kill();
    else process.kill(victim.pid, 'SIGSTOP');
    const times = watched.map(async ({ stream }) => {
      const before = stream.events.length;
      while (stream.events.length === before && !over.has(stream)) await pause(5);
      const next = stream.events.slice(before);
      (next.some(({ type }) => type === 'done') ? ended : wentOn)[what].push(performance.now() - began);
    });
    if (what === 'stop') {
      await pause(STOPPED_MS);
      process.kill(victim.pid, 'SIGCONT');
    } else {
      await pause(dice(2000));
      kernels[kernels.indexOf(victim)] = await fleet.start(victim.name);
    }
    await Promise.race([Promise.all(times), pause(60_000)]);
    await Promise.all(posts);
  }

  const [first] = kernels as [FleetKernel];
  for (const chat of chats) await idle(first, chat);
  isOver = true;
  for (const chat of chats) {
    const items = await everyItem(first, chat);
    expect(items.filter(({ status }) => status === 'running')).toEqual([]);
    for (const { text, stream } of sent.filter(message => message.chat === chat)) {
      // Once, whoever took it, and however often it was sent.
      expect(items.filter(item => item.kind === 'user_message' && item.text === text)).toMatchObject([
        { message_id: stream.messageId, turn_id: stream.turnId },
      ]);
      const turn = (await first.api.get(`/v1/chats/${chat}/turns/${stream.turnId}`)).body;
      expect(['completed', 'failed']).toContain(turn.status);
      if (turn.status === 'failed') expect(turn.error.code).toBe('kernel_restarted');
      const told = stream.events.filter(({ type }) => type === 'done');
      expect(told.length).toBeLessThanOrEqual(1);
      expect(told.every(done => 'status' in done && done.status === turn.status)).toBe(true);
    }
    const after = await oneOf(kernels).api.say(chat, 'still there?');
    expect(after.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  }
  const marks = readFileSync(ran, 'utf8').trim().split('\n');
  expect(marks).toEqual([...new Set(marks)]);
  expect([...answered].filter(([, times]) => times > 1)).toEqual([]);
  process.stdout.write(
    `${KILLS} kills, ${STOPS} stops, ${sent.length} messages, ${marks.length} commands, ${answered.size} answers. ` +
      `Viewers elsewhere heard after a kill that the turn was over: ${percentiles(ended.kill)}; more of it: ` +
      `${percentiles(wentOn.kill)}; after a stop: ${percentiles(ended.stop)}; ${percentiles(wentOn.stop)}\n`,
  );
});

const percentiles = (times: number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return times.length === 0 ? 'nothing' : `${at(0.5)} ms (p50), ${at(0.99)} ms (p99) of ${times.length}`;
};

/** Waits for all turns of a chat; none of them may take longer than a minute. */
async function idle(kernel: FleetKernel, chat: string): Promise<void> {
  let deadline = Date.now() + 60_000;
  for (let before: string | undefined; ; ) {
    const { turn } = (await kernel.api.get(`/v1/chats/${chat}`)).body;
    if (turn === null) return;
    if (turn.id !== before) deadline = Date.now() + 60_000;
    if (Date.now() > deadline) throw new Error(`the turn ${turn.id} of chat ${chat} stays ${turn.status}`);
    before = turn.id;
    await pause(50);
  }
}

async function everyItem(kernel: FleetKernel, chat: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const { body } = await kernel.api.get(`/v1/chats/${chat}/items?limit=500${before}`);
    if (body.items.length === 0) return items;
    items.unshift(...body.items);
    before = `&before=${body.next_before}`;
  }
}
