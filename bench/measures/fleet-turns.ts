/** Measures turns on several kernels: their number, their processor time, and waits in the database. */
import pg from 'pg';
import type { PostgresServer } from '../../packages/storage/test/postgres.ts';
import type { Timing } from '../client.ts';
import { now } from '../clock.ts';
import { type Fleet, withFleet } from '../fleet.ts';
import { kernelTurn, startedChat } from '../kernel.ts';
import { familyMs, type Program, parentOf, processorMs } from '../process.ts';
import { median, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
/** Concurrent turns of all kernels together. */
const AT_ONCE = 24;
/** Turns of each kernel before those that count. */
const WARM_UP = 600;
const LOCK_WAITS = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

const FLEETS: readonly (Fleet & { name: string })[] = [
  { name: '1 kernel', kernels: 1 },
  { name: '2 kernels', kernels: 2 },
  { name: '3 kernels', kernels: 3 },
  { name: '4 kernels', kernels: 4 },
  { name: '2 kernels, a database each', kernels: 2, apart: true },
];

/**
 * Runs turns on fleets of one to four kernels, each chat on the kernel that owns it. Each fleet is new, so that none
 * finds more data than another one.
 */
export async function fleetTurns(rig: Rig, server: PostgresServer): Promise<Row[]> {
  const rushes = new Map(FLEETS.map((each): [(typeof FLEETS)[number], Rush[]] => [each, []]));
  for (let round = 0; round < (rig.quick ? 1 : 3); round++) {
    for (const each of round % 2 === 0 ? FLEETS : FLEETS.toReversed()) {
      await withFleet(rig, server, each, async (kernels, database) => {
        await rush(kernels, WARM_UP * kernels.length);
        rushes.get(each)?.push(await watchedRush(rig, kernels, database));
      });
    }
  }
  const of = (what: string, unit: string, aspect: (rush: Rush) => number): Row[] => {
    const figures = [...rushes].map(([{ name }, each]) => ({ name, figure: median(each.map(aspect)) }));
    const one = figures[0]?.figure as number;
    return figures.map(({ name, figure }) => ({
      measure: `fleet: ${what}, ${name}`,
      unit,
      kernel: figure,
      ratio: figure / one,
    }));
  };
  const withTarget = (rows: Row[], target: Row['target']) =>
    rows.map((row, n) => (n === 1 ? { ...row, target } : row));
  return [
    ...withTarget(
      of(`turns, ${AT_ONCE} at a time`, 'turns/s', rush => rush.rate),
      { at: 'least', value: 0.9 },
    ),
    ...of('first delta', 'ms', rush => median(rush.firsts)),
    ...withTarget(
      of('processor time of a turn', 'ms', rush => rush.processor.kernels),
      { at: 'most', value: 1.15 },
    ),
    ...of('of a turn in Postgres', 'ms', rush => rush.processor.postgres),
    ...of('waiting for a lock', 'backends', rush => rush.waiting).map(
      ({ ratio: _, ...row }): Row => ({ ...row, target: { at: 'most', value: 0.1 } }),
    ),
  ];
}

interface Rush {
  /** Turns per second. */
  rate: number;
  /** Milliseconds to the first delta of each turn. */
  firsts: number[];
  /** Milliseconds of processor time per turn. */
  processor: { kernels: number; postgres: number };
  /** The average number of Postgres backends that wait for a lock. */
  waiting: number;
}

/** Runs turns with all kernels, and watches the processes and the locks. */
async function watchedRush(rig: Rig, kernels: readonly Program[], database: string): Promise<Rush> {
  const watcher = new pg.Client({ connectionString: database });
  await watcher.connect();
  const { rows } = await watcher.query('select pg_backend_pid() as pid');
  const postgres = parentOf(rows[0].pid);
  const spent = () => ({
    kernels: kernels.reduce((sum, { pid }) => sum + processorMs(pid), 0),
    postgres: familyMs(postgres),
  });
  const waiting: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await watcher.query(LOCK_WAITS);
      waiting.push(Number(rows[0].count));
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  })();
  const before = spent();
  const { rate, timings } = await rush(kernels, rig.quick ? 120 : 960);
  const after = spent();
  isOver = true;
  await watching;
  await watcher.end();
  const perTurn = (what: keyof typeof after) => (after[what] - before[what]) / timings.length;
  return {
    rate,
    firsts: timings.map(({ first }) => first),
    processor: { kernels: perTurn('kernels'), postgres: perTurn('postgres') },
    waiting: waiting.reduce((sum, count) => sum + count, 0) / waiting.length,
  };
}

/** Runs this many turns, as fast as possible. */
async function rush(
  kernels: readonly Program[],
  whole: number,
): Promise<{ rate: number; timings: Timing[] }> {
  const workers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const { url } = kernels[n % kernels.length] as Program;
      return { url, chat: await startedChat(url) };
    }),
  );
  const timings: Timing[] = [];
  let begun = 0;
  const began = now();
  await Promise.all(
    workers.map(async ({ url, chat }) => {
      while (begun++ < whole) timings.push(await kernelTurn(url, chat, MODEL));
    }),
  );
  return { rate: (timings.length * 1000) / (now() - began), timings };
}
