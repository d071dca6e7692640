/**
 * Tests a fleet that loses its Postgres under load: it crashes, its standby replaces it, one kernel is cut off. No
 * acknowledged data is lost, the kernels recover automatically, and they send 503 until then.
 */
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type FleetKernel, openFleet } from '../harness/fleet.ts';
import { openPostgresPair } from '../harness/postgres-pair.ts';
import { atScale } from '../harness/scale.ts';
import { startUpstream } from '../upstream/server.ts';
import { dice, seed } from './dice.ts';
import { FleetLoad } from './fleet-load.ts';
import { nothingLost } from './fleet-proof.ts';
import { FleetTimes } from './fleet-times.ts';

const CHATS = Number(process.env.CHATS ?? atScale(3, 6));
/** How often Postgres crashes and restarts before the crash after which the standby replaces it. */
const CRASHES = atScale(0, 4);
/** How the connections of an isolated kernel end: dropped, or stalled as those of a machine that vanishes. */
const ISOLATIONS = (['cut', 'hold'] as const).slice(0, atScale(1, 2));
const PATIENT = { timeout: 60_000, interval: 100 };
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const NAMES = ['one', 'two', 'three'];

const directory = temporaryDirectory();
afterAll(() => directory.remove());
let opened = 0;

/** Starts three kernels with busy chats, each of which reaches the database through its own proxy. */
async function open({ withStandby = false } = {}) {
  // Each load numbers its commands from 0.
  const marksFile = join(directory.path, `ran-${++opened}`);
  const kernels: FleetKernel[] = [];
  const load = new FleetLoad(kernels, dice);
  let isOver = false;
  const upstream = await startUpstream(() => (isOver ? undefined : load.reply(marksFile)));
  onTestFinished(() => upstream.close());
  const postgres = await openPostgresPair({ withStandby });
  const ways = await Promise.all(NAMES.map(() => startCutProxy(postgres.address)));
  onTestFinished(async () => void (await Promise.all(ways.map(way => way.close()))));
  const fleet = await openFleet(upstream, postgres.address);
  for (const [n, name] of NAMES.entries()) {
    const address = new URL(postgres.address);
    address.port = new URL(ways[n]?.url as string).port;
    kernels.push(await fleet.start(name, {}, { database: address.href }));
  }
  await load.makeChats(CHATS, directory.path);
  let round = 0;
  const work = () => {
    round++;
    const texts = load.chats.flatMap(chat =>
      [1, 2].map(n => [chat, `message ${round}.${n} of ${chat}`] as const),
    );
    const plan = load.plan(load.chats[dice(CHATS)] as string, `schedule ${round}`);
    return Promise.all([plan, ...texts.map(([chat, text]) => load.post(chat, text))]);
  };
  /**
   * Checks after the database is available again that everything continues and nothing is missing. @param at current
   * address of the database
   */
  const proof = async (at = postgres.address) => {
    await everyoneReady(kernels);
    const times = new FleetTimes(at);
    onTestFinished(() => times.close());
    await load.idle(times);
    isOver = true;
    const { marks } = await nothingLost(load, marksFile);
    return `${load.sent.length} messages, ${load.planned.length} schedules, ${marks} commands`;
  };
  return { postgres, ways, kernels, load, work, proof };
}

async function everyoneReady(kernels: readonly FleetKernel[]): Promise<void> {
  for (const { api } of kernels) {
    await expect.poll(async () => (await api.get('/readyz')).status, PATIENT).toBe(200);
    const here = async () =>
      (await api.get('/v1/kernels')).body.kernels.filter((each: { here: boolean }) => each.here);
    await expect.poll(async () => (await here()).length, PATIENT).toBe(kernels.length);
  }
}

/** Checks the responses of a kernel without its database: to reads, to messages and to the readiness check. */
async function expectAway({ api, log }: FleetKernel, chat: string): Promise<void> {
  const answers = await Promise.all([
    api.post(`/v1/chats/${chat}/messages`, { text: `refused ${dice(9999)}` }),
    api.get('/v1/chats'),
  ]);
  if (answers.some(({ status }) => status === 500)) await pause(500);
  for (const answer of answers) {
    expect(answer.status, `${JSON.stringify(answer.body)}\n${log().slice(-3000)}`).toBe(503);
    expect(['storage_unavailable', 'kernel_away']).toContain(answer.body.code);
    expect(answer.headers['retry-after']).toBe('5');
  }
  const ready = await api.get('/readyz');
  expect([ready.status, ready.headers['retry-after']]).toEqual([503, '5']);
}

test(`[FLEET-3] [SAFE-5] survives crashes of Postgres (${CRASHES}) and a failover to its standby under three working kernels (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const { postgres, ways, kernels, load, work, proof } = await open({ withStandby: true });
  for (let round = 0; round < CRASHES; round++) {
    const posted = work();
    await expect.poll(() => load.sent.length, PATIENT).toBeGreaterThan(round * 2 * CHATS);
    await postgres.crash();
    for (const kernel of kernels) await expectAway(kernel, load.chats[0] as string);
    await pause(dice(3000));
    await postgres.start();
    await posted;
  }
  await everyoneReady(kernels);
  const before = load.sent.length;
  const posted = work();
  await expect.poll(() => load.sent.length, PATIENT).toBeGreaterThan(before + CHATS / 2);
  await postgres.crash();
  for (const way of ways) way.cut();
  for (const kernel of kernels) await expectAway(kernel, load.chats[0] as string);
  const began = performance.now();
  const port = await postgres.promote();
  for (const way of ways) way.restore(`http://127.0.0.1:${port}`);
  await everyoneReady(kernels);
  const back = Math.round(performance.now() - began);
  await posted;
  await work();
  const now = new URL(postgres.address);
  now.port = String(port);
  process.stdout.write(
    `after crashes (${CRASHES}) and a failover (all kernels back within ${back} ms): ${await proof(now.href)}\n`,
  );
});

test(`[FLEET-2] [FLEET-3] survives the isolation of one of three kernels from Postgres (${ISOLATIONS.join(', ')}; seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const { ways, kernels, load, work, proof } = await open();
  const [way] = ways;
  const [cut, other] = kernels as [FleetKernel, FleetKernel];
  for (const how of ISOLATIONS) {
    const posted = work();
    const before = load.sent.length;
    await expect.poll(() => load.sent.length, PATIENT).toBeGreaterThan(before);
    way?.[how]();
    const gone = async () =>
      (await other.api.get('/v1/kernels')).body.kernels.map(({ id }: FleetKernel) => id);
    await expect.poll(gone, PATIENT).not.toContain(cut.id);
    await expectAway(cut, load.chats[0] as string);
    // The kernels that can reach the database take over its chats.
    for (const chat of load.chats) {
      await expect.poll(async () => (await other.api.get(`/v1/chats/${chat}`)).body.turn, PATIENT).toBeNull();
    }
    way?.restore();
    await posted;
    await everyoneReady(kernels);
  }
  process.stdout.write(`after one kernel was cut off (${ISOLATIONS.join(', ')}): ${await proof()}\n`);
});
