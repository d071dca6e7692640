/**
 * Kernels of a fleet that are killed, or stopped for a while, under chats at work: nothing is lost, nothing runs twice.
 * KILLS, STOPS, CHATS and SEED in the environment make it larger, or the same again.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item, ScheduleRun } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { startUpstream } from '../upstream/server.ts';
import { FleetLoad } from './fleet-load.ts';
import { FleetTimes, percentiles } from './fleet-times.ts';

const KILLS = Number(process.env.KILLS ?? 5);
/** Each is longer than a kernel may be silent. */
const STOPS = Number(process.env.STOPS ?? 1);
const CHATS = Number(process.env.CHATS ?? 6);
const STOPPED_MS = 13_000;
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const random = fc.sample(fc.nat({ max: 9999 }), { numRuns: 997, seed });
let rolled = 0;
const dice = (below: number): number => (random[rolled++ % random.length] as number) % below;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

const directory = temporaryDirectory();
const marksFile = join(directory.path, 'ran');
let isOver = false;
const kernels: FleetKernel[] = [];
const load = new FleetLoad(kernels, dice);
const upstream = await startUpstream(() => (isOver ? undefined : load.reply(marksFile)));
afterAll(async () => {
  await upstream.close();
  directory.remove();
  await stopPostgres();
});

test(`[FLEET-2] [FLEET-3] ${KILLS} kills and ${STOPS} stops of one of three kernels: nothing acknowledged is lost, nothing runs twice (seed ${seed})`, {
  timeout: 600_000 + (KILLS + STOPS) * 60_000,
}, async () => {
  const fleet = await openFleet(upstream);
  const times = new FleetTimes(fleet.database);
  onTestFinished(() => times.close());
  kernels.push(await fleet.start('one'), await fleet.start('two'), await fleet.start('three'));
  const place = { workdir: directory.path, workdir_on: 'server' } as const;
  const chats = await Promise.all(
    Array.from({ length: CHATS }, async () => (await load.kernel().api.newChat(place)).id as string),
  );

  // Spread evenly, so that a run that is cut short has seen both.
  const rounds = Array.from({ length: KILLS + STOPS }, (_, n) =>
    Math.floor(((n + 1) * STOPS) / (KILLS + STOPS)) > Math.floor((n * STOPS) / (KILLS + STOPS))
      ? 'stop'
      : 'kill',
  );
  for (const [round, what] of rounds.entries()) {
    const posts = chats.flatMap(chat => [1, 2].map(n => load.post(chat, `message ${round}.${n} of ${chat}`)));
    posts.push(load.plan(chats[dice(chats.length)] as string, `schedule ${round}`));
    await pause(dice(600));
    const victim = load.kernel();
    const watched = await atWork(times, victim);
    if (what === 'kill') await victim.kill();
    else process.kill(victim.pid, 'SIGSTOP');
    const measured = times.measure(what === 'kill' ? 'after kill -9' : 'after SIGSTOP', watched, load);
    if (what === 'stop') {
      await pause(STOPPED_MS);
      process.kill(victim.pid, 'SIGCONT');
    } else {
      await pause(dice(2000));
      kernels[kernels.indexOf(victim)] = await fleet.start(victim.name);
    }
    await measured;
    await Promise.all(posts);
    // A long run that is ended has said how far it came.
    if (round % 20 === 19) process.stdout.write(`${round + 1} rounds of ${rounds.length}\n${times}`);
  }

  const [first] = kernels as [FleetKernel];
  for (const chat of chats) await idle(first, chat, times);
  isOver = true;
  const late: number[] = [];
  for (const { id, chat, text } of load.planned) {
    const runs: ScheduleRun[] = (await first.api.get(`/v1/schedules/${id}/runs`)).body.runs;
    expect(runs, `${text} of ${chat}`).toMatchObject([
      { status: expect.stringMatching(/^(completed|failed)$/) },
    ]);
    const [{ due_at, started_at }] = runs as [ScheduleRun];
    if (started_at !== null) late.push(Date.parse(started_at) - Date.parse(due_at));
  }
  for (const chat of chats) {
    const items = await everyItem(first, chat);
    expect(items.filter(({ status }) => status === 'running')).toEqual([]);
    const texts = items.flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
    // Also those schedules and messages that nobody was told of.
    expect(texts).toEqual([...new Set(texts)]);
    for (const { text, stream } of load.sent.filter(message => message.chat === chat)) {
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
    const after = await load.kernel().api.say(chat, 'still there?');
    expect(after.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  }
  const marks = existsSync(marksFile) ? readFileSync(marksFile, 'utf8').trim().split('\n') : [];
  expect(marks).toEqual([...new Set(marks)]);
  expect([...load.answered].filter(([, count]) => count > 1)).toEqual([]);
  process.stdout.write(
    `${KILLS} kills, ${STOPS} stops, ${CHATS} chats, ${load.sent.length} messages, ${load.planned.length} schedules, ` +
      `${marks.length} commands, ${load.answered.size} answers. As viewers at other kernels were told:\n${times}` +
      `  a schedule began after its time, what its chat had queued included: ${percentiles(late)}\n`,
  );
});

/** The turns of a kernel that viewers at others follow; waits a while for the first. */
async function atWork(times: FleetTimes, kernel: FleetKernel) {
  for (let attempt = 0; ; attempt++) {
    const watched = await times.watchedAt(kernel.id, load);
    if (watched.length > 0 || attempt === 100) return watched;
    await pause(20);
  }
}

/** Waits for all turns of a chat; none of them may take longer than a minute. */
async function idle(kernel: FleetKernel, chat: string, times: FleetTimes): Promise<void> {
  let deadline = Date.now() + 60_000;
  for (let before: string | undefined; ; ) {
    const { turn } = (await kernel.api.get(`/v1/chats/${chat}`)).body;
    if (turn === null) return;
    if (turn.id !== before) deadline = Date.now() + 60_000;
    if (Date.now() > deadline) {
      const state = await times.stateOf(chat);
      throw new Error(`the turn ${turn.id} of chat ${chat} stays ${turn.status}: ${state}\n${logs()}`);
    }
    before = turn.id;
    await pause(50);
  }
}

/** The last words of the kernels. */
const logs = (): string =>
  kernels.map(({ name, id, log }) => `--- ${name} (${id})\n${log().slice(-4000)}`).join('\n');

async function everyItem(kernel: FleetKernel, chat: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let before = ''; ; ) {
    const { body } = await kernel.api.get(`/v1/chats/${chat}/items?limit=500${before}`);
    if (body.items.length === 0) return items;
    items.unshift(...body.items);
    before = `&before=${body.next_before}`;
  }
}
