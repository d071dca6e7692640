/**
 * Tests an older version next to this one on one database that this one migrates: kernels are replaced one at a time
 * under load and killed in between, and no acknowledged data is lost.
 */
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { addWorkTree, git, linkPackages, removeWorkTree } from '../../bench/revision.ts';
import { SCHEMA_VERSION } from '../../packages/storage/src/migrations/migrate.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type FleetKernel, newDatabase, openFleet, stopPostgres } from '../harness/fleet.ts';
import { atScale } from '../harness/scale.ts';
import { startUpstream } from '../upstream/server.ts';
import { dice, seed } from './dice.ts';
import { FleetLoad } from './fleet-load.ts';
import { nothingLost } from './fleet-proof.ts';
import { FleetTimes } from './fleet-times.ts';

/** The commit of the first version that shares a database as this one does. */
const FIRST = '9f025569fb77e7310665df4530820000f3afc143';
const FOLDER = 'packages/storage/src/migrations';
const TABLES = SCHEMA_VERSION;
const CHATS = atScale(3, 6);
/** Two are enough for an older kernel and a newer one to take over from each other. */
const NAMES = ['one', 'two', 'three'].slice(0, atScale(2, 3));
/** Without settings that the older version does not know. */
const OLDER_SETTINGS = { llm: { discover: undefined } };
const PATIENT = { timeout: 60_000, interval: 20 };

const directory = temporaryDirectory();
const marksFile = join(directory.path, 'ran');
afterAll(async () => {
  directory.remove();
  await stopPostgres();
});

/** Returns the version of the tables of a commit. */
const tablesOf = (commit: string): number =>
  git('ls-tree', '--name-only', commit, `${FOLDER}/`)
    .split('\n')
    .filter(path => /\/\d{4}_\w+\.ts$/.test(path)).length;

/** Returns the commit of the older version. Undefined if the history is missing. */
function olderVersion(): string | undefined {
  try {
    return git('rev-parse', '--verify', '--quiet', `${FIRST}^{commit}`);
  } catch {
    return undefined;
  }
}

/** Returns why there is no older version to run. Only a shallow or missing history is a valid reason. */
function whyNot(commit: string | undefined): string | undefined {
  if (commit !== undefined) return undefined;
  let isWhole = false;
  try {
    isWhole = git('rev-parse', '--is-shallow-repository') === 'false';
  } catch {
    return 'this is no clone of the repository';
  }
  if (isWhole && process.env.REQUIRE_ALL)
    throw new Error(`The history has no commit ${FIRST}, and REQUIRE_ALL is set.`);
  return 'the history of this clone does not reach back to the older version: git fetch --unshallow';
}

const older = olderVersion();
const why = whyNot(older);

/** Returns the version of the tables of a database. */
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

const ACROSS = 'across versions';

/** Checks that a chat of one kernel works there and reads the same on another one. */
async function talkAt({ api, id }: FleetKernel, reader: FleetKernel): Promise<void> {
  const chat = await api.newChat();
  const stream = await api.turn(chat.id, { text: ACROSS });
  await stream.closed();
  expect(stream.headers['x-kernel']).toBe(id);
  expect(stream.events.at(-1)).toMatchObject({ type: 'done', status: 'completed' });
  const items = await api.items(chat.id);
  expect(items[0]).toMatchObject({ kind: 'user_message', text: ACROSS });
  // A newer kernel may add fields, and no kernel reads another value of one.
  const read = await reader.api.items(chat.id);
  expect(read.map(item => item.id)).toEqual(items.map(item => item.id));
  const [more, fewer] =
    Object.keys(items[1] ?? {}).length < Object.keys(read[1] ?? {}).length ? [read, items] : [items, read];
  expect(more).toMatchObject(fewer);
}

test.skipIf(why)(
  `[FLEET-3] [FLEET-6] replaces ${NAMES.length} kernels of an older version with older tables, one after the other (seed ${seed})${why ? ` (${why})` : ''}`,
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
    // The load has random calls, which may fail a turn. Messages across versions get a plain reply.
    const upstream = await startUpstream(({ body }) =>
      isOver || JSON.stringify(body).includes(ACROSS) ? undefined : load.reply(marksFile),
    );
    onTestFinished(() => upstream.close());
    const fleet = await openFleet(upstream, await newDatabase({ empty: true }));
    const times = new FleetTimes(fleet.database);
    onTestFinished(() => times.close());
    for (const name of NAMES) kernels.push(await fleet.start(name, OLDER_SETTINGS, { checkout }));
    await load.makeChats(CHATS, directory.path);
    const tables = await schemaOf(fleet.database);
    expect(tables).toBe(tablesOf(older as string));
    expect(tables).toBeLessThan(TABLES);
    let rounds = 0;
    /** Starts work. Resolves once all of it is acknowledged. */
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
    /** Kills a busy kernel, whose chats continue on the others, and restarts it. */
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
      // Clients that check readiness send nothing more there; the kernel refuses later requests until it exits.
      const ready = async () => (await old.api.get('/readyz').catch(() => ({ status: 'gone' }))).status;
      await expect.poll(ready, PATIENT).not.toBe(200);
      expect(await stopping).toEqual({ code: 0, signal: null });
      kernels[n] = await fleet.start(old.name);
      await posts;
      await knowEachOther();
    };

    await replace(0);
    expect(await schemaOf(fleet.database)).toBe(TABLES);
    const [newer, ...olders] = kernels as [FleetKernel, FleetKernel];
    for (const old of olders) await talkAt(old, newer);
    await talkAt(newer, olders[0]);
    // Only kernels of the older version remain, to take over the work of the newer one.
    await kill(0);
    for (let n = 1; n < NAMES.length - 1; n++) await replace(n);
    // And here only those of the newer version.
    await kill(NAMES.length - 1);
    await load.idle(times);
    isOver = true;
    const { marks } = await nothingLost(load, marksFile);
    process.stdout.write(
      `upgraded from ${older?.slice(0, 8)}, tables ${tables} to ${TABLES}: ` +
        `${load.sent.length} messages, ${load.planned.length} schedules, ${marks} commands\n`,
    );
  },
);

/** Returns how many turns of a kernel are open. */
const openAt = async (times: FleetTimes, { id }: FleetKernel): Promise<number> =>
  (await times.openTurns()).filter(turn => 'owner' in turn && turn.owner === id).length;
