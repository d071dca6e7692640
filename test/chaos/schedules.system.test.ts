/** Tests schedules with kill -9: whenever the kernel dies, each due time has one row, one outcome and one chat. */
import type { Chat, Item, ScheduleRun } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { atScale } from '../harness/scale.ts';
import { startUpstream } from '../upstream/server.ts';

const KILLS = Number(process.env.KILLS ?? atScale(3, 20));
const DUES = Number(process.env.DUES ?? 4 * KILLS);
/** The longest time that a kernel runs before it is killed at a random moment. */
const LIFE_MS = 2000;
/** The time in which all but the last schedule are due: as long as the kernels run, including their starts. */
const SPREAD_SECS = KILLS * 2;
/** How many schedules are created at once, and how far ahead of that moment they are due at least. */
const AT_ONCE = 8;
const AHEAD_MS = 10_000;
const seed = Date.now() % 2 ** 31;
const lives = fc.sample(fc.nat({ max: LIFE_MS }), { numRuns: KILLS, seed });

const directory = temporaryDirectory();
/** Records the message of each request that reaches the model. */
const upstream = await startUpstream(() => ({
  steps: [{ text: Array.from({ length: 10 }, (_, n) => `word${n} `), delay_ms: 20 }],
}));
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

describe('[SCHED-2] kill -9 around due times', () => {
  it(`records ${DUES} rows and ${DUES} outcomes for ${DUES} due times over ${KILLS} kills (seed ${seed})`, {
    timeout: 600_000 + (KILLS + DUES) * 5000,
  }, async () => {
    const begin = () => startKernelProcess({ upstream, dataDir: directory.path });
    let kernel = await begin();
    const first = Date.now() + 2000;
    const ids = await addAll(kernel, first);
    let killed = 0;
    for (const life of lives) {
      await new Promise(resolve => setTimeout(resolve, life));
      await kernel.kill();
      killed++;
      kernel = await begin();
    }

    const runs = await outcomes(kernel, ids);
    const chats: Chat[] = [];
    for (let before = ''; ; before = `&before=${chats.at(-1)?.id}`) {
      const { body } = await kernel.api.get(`/v1/chats?limit=500${before}`);
      if (body.chats.length === 0) break;
      chats.push(...body.chats);
    }
    const counts = Map.groupBy(runs, ({ status }) => status);
    const told = [...counts].map(([status, { length }]) => `${length} ${status}`).join(', ');
    process.stdout.write(`${killed} kills, ${runs.length} rows of ${ids.length} times: ${told}\n`);
    expect(runs).toHaveLength(ids.length);
    // Every chat has a run, and no two runs share a chat.
    const withChat = runs.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id]));
    expect(withChat.sort()).toEqual(chats.map(({ id }) => id).sort());
    for (const run of runs) await checkRun(kernel, run);
    expect(await kernel.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Creates the schedules, each due once. On a slow machine, a time that would be past by now moves ahead of it. */
async function addAll({ api }: KernelProcess, first: number): Promise<string[]> {
  const add = async (n: number): Promise<string> => {
    const planned = first + (n * SPREAD_SECS * 1000) / DUES + 1000;
    const at = new Date(Math.max(planned, Date.now() + AHEAD_MS)).toISOString();
    const { status, body } = await api.post('/v1/schedules', { text: `due ${n}`, at, title: `due ${n}` });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const ids: string[] = [];
  while (ids.length < DUES) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, DUES - ids.length) }, (_, n) => ids.length + n);
    ids.push(...(await Promise.all(numbers.map(add))));
  }
  return ids;
}

/** Returns the runs once all times have passed and every run has ended. */
async function outcomes({ api }: KernelProcess, ids: string[]): Promise<ScheduleRun[]> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const { schedules } = (await api.get('/v1/schedules')).body;
    const open = schedules.filter(
      ({ next_at, last }: { next_at: string | null; last: ScheduleRun | null }) =>
        next_at !== null || last === null || last.status === 'running',
    );
    if (open.length === 0) break;
    if (Date.now() > deadline) throw new Error(`these have no outcome: ${JSON.stringify(open)}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  const runs: ScheduleRun[] = [];
  for (const id of ids) runs.push(...(await api.get(`/v1/schedules/${id}/runs`)).body.runs);
  return runs;
}

/** Checks that the turn of a run matches the row, and that its message exists once. */
async function checkRun({ api }: KernelProcess, { chat_id, turn_id, status, error }: ScheduleRun) {
  expect(['completed', 'failed', 'missed']).toContain(status);
  if (chat_id === null) {
    expect([status, turn_id]).toEqual(['missed', null]);
    return;
  }
  const turn = (await api.get(`/v1/chats/${chat_id}/turns/${turn_id}`)).body;
  expect(turn.status).toBe(status);
  if (status === 'failed') expect(error?.code).toBe('kernel_restarted');
  const { items } = (await api.get(`/v1/chats/${chat_id}/items`)).body as { items: Item[] };
  expect(items.filter(({ kind }) => kind === 'user_message')).toHaveLength(1);
  expect(items.filter(item => item.status === 'running')).toEqual([]);
}
