/**
 * Tests kernels of a fleet that are killed or suspended under load: nothing is lost, nothing runs twice. KILLS, STOPS
 * and CHATS in the environment enlarge the test, and SEED repeats a run.
 */
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../harness/directory.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { atScale } from '../harness/scale.ts';
import { startUpstream } from '../upstream/server.ts';
import { dice, seed } from './dice.ts';
import { FleetLoad } from './fleet-load.ts';
import { nothingLost } from './fleet-proof.ts';
import { FleetTimes, percentiles } from './fleet-times.ts';

const KILLS = Number(process.env.KILLS ?? atScale(1, 10));
/** Each lasts until the other kernels consider this one dead. */
const STOPS = Number(process.env.STOPS ?? atScale(1, 2));
const CHATS = Number(process.env.CHATS ?? atScale(4, 6));
const PATIENT = { timeout: 60_000, interval: 100 };
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

test(`[FLEET-2] [FLEET-3] loses no acknowledged data and runs nothing twice over ${KILLS} kills and ${STOPS} stops of one of three kernels (seed ${seed})`, {
  timeout: 600_000 + (KILLS + STOPS) * 60_000,
}, async () => {
  const fleet = await openFleet(upstream);
  const times = new FleetTimes(fleet.database);
  onTestFinished(() => times.close());
  kernels.push(await fleet.start('one'), await fleet.start('two'), await fleet.start('three'));
  const chats = await load.makeChats(CHATS, directory.path);

  // Spread evenly, so that an interrupted run has covered both.
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
      const others = kernels.filter(kernel => kernel !== victim);
      for (const { api } of others) await expect.poll(() => listed(api), PATIENT).not.toContain(victim.id);
      await pause(dice(2000));
      process.kill(victim.pid, 'SIGCONT');
    } else {
      await pause(dice(2000));
      kernels[kernels.indexOf(victim)] = await fleet.start(victim.name);
    }
    await measured;
    await Promise.all(posts);
    // A long run that is interrupted has printed its progress.
    if (round % 20 === 19) process.stdout.write(`${round + 1} rounds of ${rounds.length}\n${times}`);
  }

  await load.idle(times);
  isOver = true;
  const { marks, late } = await nothingLost(load, marksFile);
  process.stdout.write(
    `${KILLS} kills, ${STOPS} stops, ${CHATS} chats, ${load.sent.length} messages, ${load.planned.length} schedules, ` +
      `${marks} commands, ${load.answered.size} answers. As viewers at other kernels were told:\n${times}` +
      `  a schedule began after its time, what its chat had queued included: ${percentiles(late)}\n`,
  );
});

/** The ids of the kernels that one kernel knows. */
const listed = async (api: FleetKernel['api']): Promise<string[]> =>
  (await api.get('/v1/kernels')).body.kernels.map(({ id }: FleetKernel) => id);

/** The turns of a kernel that viewers on other kernels follow; waits a while for the first. */
async function atWork(times: FleetTimes, kernel: FleetKernel) {
  for (let attempt = 0; ; attempt++) {
    const watched = await times.watchedAt(kernel.id, load);
    if (watched.length > 0 || attempt === 100) return watched;
    await pause(20);
  }
}
