/** Schedules under kill -9: whenever the kernel dies, each time that was due has one row, one outcome and one chat. */
import type { Chat, Item, ScheduleRun } from '@chat-kernel/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { type KernelProcess, startKernelProcess } from '../harness/process.ts';
import { startUpstream } from '../upstream/server.ts';

const KILLS = Number(process.env.KILLS ?? 4);
const DUES = Number(process.env.DUES ?? 4 * KILLS);
/** The longest that a kernel lives; it dies at any moment before. */
const LIFE_MS = 2000;
/** The time in which all but the last are due: as long as the kernels live, with their starts. */
const SPREAD_SECS = KILLS * 2;
const seed = Date.now() % 2 ** 31;
const lives = fc.sample(fc.nat({ max: LIFE_MS }), { numRuns: KILLS, seed });

const directory = temporaryDirectory();
/** What the model is asked for, once for each request that reaches it. */
const upstream = await startUpstream(() => ({
  steps: [{ text: Array.from({ length: 10 }, (_, n) => `word${n} `), delay_ms: 20 }],
}));
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

describe('[SCHED-2] kill -9 around times that are due', () => {
  it(`${DUES} times, ${KILLS} kills: ${DUES} rows, ${DUES} outcomes (seed ${seed})`, {
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
    // No chat without a run, and none that two runs share.
    const withChat = runs.flatMap(({ chat_id }) => (chat_id === null ? [] : [chat_id]));
    expect(withChat.sort()).toEqual(chats.map(({ id }) => id).sort());
    for (const run of runs) await checkRun(kernel, run);
    expect(await kernel.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Makes the schedules, each due once. */
async function addAll({ api }: KernelProcess, first: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < DUES; n++) {
    const at = new Date(first + (n * SPREAD_SECS * 1000) / DUES + 1000).toISOString();
    const { status, body } = await api.post('/v1/schedules', { text: `due ${n}`, at, title: `due ${n}` });
    expect(status, JSON.stringify(body)).toBe(201);
    ids.push(body.id);
  }
  return ids;
}

/** The runs, once all times have come and every run has ended. */
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

/** The turn of a run is as the row says, and its message stands once. */
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
