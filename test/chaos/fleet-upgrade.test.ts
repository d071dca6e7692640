/**
 * An older version beside this one on one database, whose tables this one brings forward: kernels are replaced one by one
 * under chats at work, killed in between, and nothing that was acknowledged is lost.
 */
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { addWorkTree, git, linkPackages, removeWorkTree } from '../../bench/revision.ts';
import { MIGRATIONS } from '../../packages/storage/src/migrations/migrate.ts';
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
const FOLDER = 'packages/storage/src/migrations';
const TABLES = MIGRATIONS.length;
const PATIENT = { timeout: 60_000, interval: 20 };

const directory = temporaryDirectory();
const marksFile = join(directory.path, 'ran');
afterAll(async () => {
  directory.remove();
  await stopPostgres();
});

/** The version of the tables of a commit. */
const tablesOf = (commit: string): number =>
  git('ls-tree', '--name-only', commit, `${FOLDER}/`)
    .split('\n')
    .filter(path => /\/\d{4}_\w+\.ts$/.test(path)).length;

/**
 * The commit of the last release that knows of other kernels; where that has the tables of today, the one before the newest
 * of them came. Undefined where the history is not here.
 */
function olderVersion(): string | undefined {
  try {
    const released = git('log', '-1', '--format=%H', '--', PROMISES);
    const knowsOthers = git('ls-tree', '--name-only', released, FLEET) === FLEET;
    const found = git('rev-parse', '--verify', '--quiet', `${knowsOthers ? released : FIRST}^{commit}`);
    if (tablesOf(found) < TABLES) return found;
    const newest = `${FOLDER}/${String(TABLES).padStart(4, '0')}_*.ts`;
    const came = git('log', '-1', '--format=%H', '--diff-filter=A', '--', newest);
    return git('rev-parse', '--verify', '--quiet', came === '' ? 'HEAD' : `${came}^1^{commit}`);
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

const older = olderVersion();
const why = whyNot(older);

/** The version of the tables of a database. */
async function schemaOf(database: string): Promise<number> {
  const session = new pg.Client(database);
  await session.connect();
  try {
    const { rows } = await session.query("select value from meta where key = 'schema_version'");
    return Number(rows[0].value);
  } finally {
    await session.end();
  }
}

/** A chat of one kernel is answered there, and reads the same at another one. */
async function talkAt({ api, id }: FleetKernel, reader: FleetKernel): Promise<void> {
  const chat = await api.newChat();
  const stream = await api.turn(chat.id, { text: 'across versions' });
  await stream.closed();
  expect(stream.headers['x-kernel']).toBe(id);
  expect(stream.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  const items = await api.items(chat.id);
  expect(items[0]).toMatchObject({ kind: 'user_message', text: 'across versions' });
  expect(await reader.api.items(chat.id)).toEqual(items);
}

test.skipIf(why)(
  `[FLEET-3] [FLEET-6] three kernels of an older version, with older tables, are replaced by this one, one after the other (seed ${seed})${why ? ` (${why})` : ''}`,
  {
    timeout: 500_000,
  },
  async () => {
    const checkout = join(directory.path, 'older');
    addWorkTree(older as string, checkout);
    onTestFinished(() => removeWorkTree(checkout));
    linkPackages(checkout);
    let isOver = false;
    const kernels: FleetKernel[] = [];
    const load = new FleetLoad(kernels, dice);
    const upstream = await startUpstream(() => (isOver ? undefined : load.reply(marksFile)));
    onTestFinished(() => upstream.close());
    const fleet = await openFleet(upstream);
    const times = new FleetTimes(fleet.database);
    onTestFinished(() => times.close());
    for (const name of ['one', 'two', 'three']) kernels.push(await fleet.start(name, {}, { checkout }));
    await load.makeChats(6, directory.path);
    const tables = await schemaOf(fleet.database);
    expect(tables).toBe(tablesOf(older as string));
    expect(tables).toBeLessThan(TABLES);
    let rounds = 0;
    /** Begins work. Resolves once all of it is acknowledged. */
    const begin = () => {
      const round = rounds++;
      const posts = load.chats.flatMap(chat =>
        [1, 2].map(m => load.post(chat, `message ${round}.${m} of ${chat}`)),
      );
      posts.push(load.plan(load.chats[round % load.chats.length] as string, `schedule ${round}`));
      return Promise.all(posts);
    };
    const knowEachOther = async () => {
      for (const { api } of kernels) {
        const here = async () =>
          (await api.get('/v1/kernels')).body.kernels.map(({ id }: FleetKernel) => id).toSorted();
        await expect.poll(here, PATIENT).toEqual(kernels.map(({ id }) => id).toSorted());
      }
    };
    /** Kills a kernel at work, whose chats go on with the others, and starts it anew. */
    const kill = async (n: number) => {
      const killed = kernels[n] as FleetKernel;
      const own = { workdir: directory.path, workdir_on: 'server' };
      for (let made = 0; made < 2; made++) load.chats.push((await killed.api.newChat(own)).id);
      const posts = begin();
      await expect.poll(() => openAt(times, killed), PATIENT).toBeGreaterThan(0);
      await killed.kill();
      await expect.poll(() => openAt(times, killed), PATIENT).toBe(0);
      kernels[n] = await fleet.start(killed.name);
      await posts;
      await knowEachOther();
    };
    const replace = async (n: number) => {
      const old = kernels[n] as FleetKernel;
      const before = load.sent.length;
      const posts = begin();
      await expect.poll(() => load.sent.length, PATIENT).toBeGreaterThan(before + 3);
      const stopping = old.stop();
      // Whoever looks at it sends nothing more there, and what is sent all the same is refused until it is gone.
      const ready = async () => (await old.api.get('/readyz').catch(() => ({ status: 'gone' }))).status;
      await expect.poll(ready, PATIENT).not.toBe(200);
      expect(await stopping).toEqual({ code: 0, signal: null });
      kernels[n] = await fleet.start(old.name);
      await posts;
      await knowEachOther();
    };

    await replace(0);
    expect(await schemaOf(fleet.database)).toBe(TABLES);
    const [newer, second, third] = kernels as [FleetKernel, FleetKernel, FleetKernel];
    for (const old of [second, third]) await talkAt(old, newer);
    await talkAt(newer, second);
    // Those of the older version alone are left to take over what the newer one had.
    await kill(0);
    await replace(1);
    // And here those of the newer one alone.
    await kill(2);
    await load.idle(times);
    isOver = true;
    const { marks } = await nothingLost(load, marksFile);
    process.stdout.write(
      `upgraded from ${older?.slice(0, 8)}, tables ${tables} to ${TABLES}: ` +
        `${load.sent.length} messages, ${load.planned.length} schedules, ${marks} commands\n`,
    );
  },
);

/** How many turns of a kernel are open. */
const openAt = async (times: FleetTimes, { id }: FleetKernel): Promise<number> =>
  (await times.openTurns()).filter(turn => 'owner' in turn && turn.owner === id).length;
