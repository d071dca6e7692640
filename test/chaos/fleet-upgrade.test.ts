/**
 * The last release beside this version on one database: kernels are replaced one by one under chats at work, and nothing
 * that was acknowledged is lost.
 */
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { addWorkTree, git, linkPackages, removeWorkTree } from '../../bench/revision.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type FleetKernel, openFleet, stopPostgres } from '../harness/fleet.ts';
import { startUpstream } from '../upstream/server.ts';
import { dice, seed } from './dice.ts';
import { FleetLoad } from './fleet-load.ts';
import { nothingLost } from './fleet-proof.ts';
import { FleetTimes } from './fleet-times.ts';

/** What a release promises changes with it alone (docs/decisions/0021-a-release-is-its-promises.md). */
const PROMISES = 'scripts/contract/released.jsonl';
/** The first version that shares a database with others as this one does, for as long as no release does. */
const FIRST = '9f025569fb77e7310665df4530820000f3afc143';
const FLEET = 'packages/kernel/src/fleet/fleet.ts';
const PATIENT = { timeout: 60_000, interval: 20 };

const directory = temporaryDirectory();
const marksFile = join(directory.path, 'ran');
afterAll(async () => {
  directory.remove();
  await stopPostgres();
});

/** The commit of the last release that knows of other kernels; undefined where the history is not here. */
function lastRelease(): string | undefined {
  try {
    const released = git('log', '-1', '--format=%H', '--', PROMISES);
    const knowsOthers = git('ls-tree', '--name-only', released, FLEET) === FLEET;
    return git('rev-parse', '--verify', '--quiet', `${knowsOthers ? released : FIRST}^{commit}`);
  } catch {
    return undefined;
  }
}

/** Why there is no older version to run. Only a history that is cut short, or none, is a reason. */
function whyNot(release: string | undefined): string | undefined {
  if (release !== undefined) return undefined;
  let isWhole = false;
  try {
    isWhole = git('rev-parse', '--is-shallow-repository') === 'false';
  } catch {
    return 'this is no clone of the repository';
  }
  if (isWhole && process.env.REQUIRE_ALL)
    throw new Error(`The history has no commit ${FIRST}, and REQUIRE_ALL is set.`);
  return 'the history of this clone does not reach back to the last release: git fetch --unshallow';
}

const release = lastRelease();
const why = whyNot(release);

test.skipIf(why)(
  `[FLEET-3] [FLEET-6] three kernels of the last release are replaced by this version, one after the other (seed ${seed})${why ? ` (${why})` : ''}`,
  {
    timeout: 400_000,
  },
  async () => {
    const older = join(directory.path, 'last-release');
    addWorkTree(release as string, older);
    onTestFinished(() => removeWorkTree(older));
    linkPackages(older);
    let isOver = false;
    const kernels: FleetKernel[] = [];
    const load = new FleetLoad(kernels, dice);
    const upstream = await startUpstream(() => (isOver ? undefined : load.reply(marksFile)));
    onTestFinished(() => upstream.close());
    const fleet = await openFleet(upstream);
    const times = new FleetTimes(fleet.database);
    onTestFinished(() => times.close());
    for (const name of ['one', 'two', 'three'])
      kernels.push(await fleet.start(name, {}, { checkout: older }));
    await load.makeChats(6, directory.path);

    for (const [n, old] of [...kernels].entries()) {
      const posts = load.chats.flatMap(chat =>
        [1, 2].map(m => load.post(chat, `message ${n}.${m} of ${chat}`)),
      );
      posts.push(load.plan(load.chats[n] as string, `schedule ${n}`));
      await expect.poll(() => load.sent.length, PATIENT).toBeGreaterThan(n * 12 + 3);
      const stopping = old.stop();
      // Whoever looks at it sends nothing more there, and what is sent all the same is refused until it is gone.
      const ready = async () => (await old.api.get('/readyz').catch(() => ({ status: 'gone' }))).status;
      await expect.poll(ready, PATIENT).not.toBe(200);
      expect(await stopping).toEqual({ code: 0, signal: null });
      kernels[n] = await fleet.start(old.name);
      await Promise.all(posts);
      // Old and new know each other.
      for (const { api } of kernels) {
        const here = async () =>
          (await api.get('/v1/kernels')).body.kernels.map(({ id }: FleetKernel) => id).toSorted();
        await expect.poll(here, PATIENT).toEqual(kernels.map(({ id }) => id).toSorted());
      }
    }
    await load.idle(times);
    isOver = true;
    const { marks } = await nothingLost(load, marksFile);
    process.stdout.write(
      `upgraded from ${release?.slice(0, 8)}: ${load.sent.length} messages, ${load.planned.length} schedules, ${marks} commands\n`,
    );
  },
);
