/**
 * Measures several kernels on one Postgres: what each additional one gains and costs, the cost of a hop, and lists with
 * many chats.
 */
import pg from 'pg';
import type { PostgresServer } from '../../packages/storage/test/postgres.ts';
import { freePort } from '../../test/harness/free-port.ts';
import { call, type Timing } from '../client.ts';
import { now } from '../clock.ts';
import { KernelHome, kernelTurn, newChat, startedChat } from '../kernel.ts';
import { withPostgres } from '../postgres.ts';
import { familyMs, type Program, parentOf, processorMs } from '../process.ts';
import { type Measure, median, quantile, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
const MOST_KERNELS = 4;
/** Concurrent turns of all kernels together. */
const AT_ONCE = 24;
/** Turns of each kernel before those that count. */
const WARM_UP = 240;
const CHATS = 10_000;
const LOCK_WAITS = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

export const fleet: Measure = {
  name: 'fleet',
  run: rig =>
    withPostgres('fleet', async server => {
      const rows = await turns(rig, server);
      await withFleet(rig, server, 3, async (kernels, database) => {
        rows.push(...(await hops(rig, kernels)), ...(await lists(rig, kernels, database)));
      });
      return rows;
    }),
};

/** Starts kernels that share a new database while `use` runs. */
async function withFleet(
  rig: Rig,
  server: PostgresServer,
  count: number,
  use: (kernels: Program[], database: string) => Promise<void>,
): Promise<void> {
  const database = await server.createDatabase();
  const homes: KernelHome[] = [];
  const kernels: Program[] = [];
  try {
    for (let n = 0; n < count; n++) {
      const home = new KernelHome(rig.upstream.url, rig.programs.kernel, {
        database,
        port: await freePort(),
      });
      homes.push(home);
      kernels.push(await home.start());
    }
    await use(kernels, database);
  } finally {
    for (const kernel of kernels) await kernel.stop();
    for (const home of homes) home.remove();
  }
}

/**
 * Runs turns on fleets of one to four kernels, each chat on the kernel that owns it. Each fleet is new, so that none
 * finds more data than another one.
 */
async function turns(rig: Rig, server: PostgresServer): Promise<Row[]> {
  const fleets = Array.from({ length: rig.quick ? 2 : MOST_KERNELS }, (_, n) => n + 1);
  const rushes = fleets.map((): Rush[] => []);
  for (let round = 0; round < (rig.quick ? 1 : 3); round++) {
    for (const count of round % 2 === 0 ? fleets : fleets.toReversed()) {
      await withFleet(rig, server, count, async (kernels, database) => {
        await rush(kernels, WARM_UP * count);
        rushes[count - 1]?.push(await watchedRush(rig, kernels, database));
      });
    }
  }
  const rowsOf = (
    what: string,
    unit: string,
    aspect: (rush: Rush) => number,
    bar?: { target: Row['target']; ofOne: boolean },
  ): Row[] => {
    const figures = rushes.map(each => median(each.map(aspect)));
    return figures.map((kernel, n) => ({
      measure: `fleet: ${what}, ${n + 1} kernel${n === 0 ? '' : 's'}`,
      unit,
      kernel,
      ...(bar?.ofOne !== false && { ratio: kernel / (figures[0] as number) }),
      ...(bar && (n === 1 || !bar.ofOne) && { target: bar.target }),
    }));
  };
  const limit = (at: 'least' | 'most', value: number, ofOne = true) => ({ target: { at, value }, ofOne });
  return [
    ...rowsOf(`turns, ${AT_ONCE} at a time`, 'turns/s', rush => rush.rate, limit('least', 0.9)),
    ...rowsOf('first delta', 'ms', rush => median(rush.firsts)),
    ...rowsOf('processor time of a turn', 'ms', rush => rush.processor.kernels, limit('most', 1.15)),
    ...rowsOf('of a turn in Postgres', 'ms', rush => rush.processor.postgres),
    ...rowsOf('of a turn in the upstream', 'ms', rush => rush.processor.upstream),
    ...rowsOf('waiting for a lock', 'backends', rush => rush.waiting, limit('most', 0.1, false)),
  ];
}

interface Rush {
  /** Turns per second. */
  rate: number;
  /** Milliseconds to the first word of each turn. */
  firsts: number[];
  /** Milliseconds of processor time per turn. */
  processor: { kernels: number; postgres: number; upstream: number };
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
    upstream: processorMs(rig.upstream.pid),
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
  const { rate, timings } = await rush(kernels, rig.quick ? 120 : 480);
  const after = spent();
  isOver = true;
  await watching;
  await watcher.end();
  const perTurn = (what: keyof typeof after) => (after[what] - before[what]) / timings.length;
  return {
    rate,
    firsts: timings.map(({ first }) => first),
    processor: {
      kernels: perTurn('kernels'),
      postgres: perTurn('postgres'),
      upstream: perTurn('upstream'),
    },
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

/** Measures the time to the first word on the owner, and through another kernel, alternately. */
async function hops(rig: Rig, kernels: readonly Program[]): Promise<Row[]> {
  const [owner, other] = kernels as [Program, Program];
  const direct: number[] = [];
  const through: number[] = [];
  for (let round = rig.quick ? -5 : -20; round < (rig.quick ? 20 : 150); round++) {
    const chat = await startedChat(owner.url);
    const askedFirst = round % 2 === 0 ? [owner, other] : [other, owner];
    for (const kernel of askedFirst) {
      const { first } = await kernelTurn(kernel.url, chat, MODEL);
      if (round >= 0) (kernel === owner ? direct : through).push(first);
    }
  }
  return [
    { measure: 'fleet: first delta at the owner', unit: 'ms', kernel: median(direct) },
    {
      measure: 'fleet: first delta through another kernel',
      unit: 'ms',
      kernel: median(through),
      ratio: median(through) / median(direct),
    },
  ];
}

/** Measures lists and chats when there are many, spread evenly over all kernels. */
async function lists(rig: Rig, kernels: readonly Program[], database: string): Promise<Row[]> {
  const [first] = kernels as [Program];
  const chat = await newChat(first.url);
  const { kernels: all } = await call<{ kernels: { id: string }[] }>('GET', `${first.url}/v1/kernels`);
  const known = all.slice(0, kernels.length);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(
    `insert into chats select (jsonb_populate_record(null::chats, to_jsonb(chats) || jsonb_build_object(
       'id', '01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'owner', ($2::text[])[1 + n % $3::int]))).*
     from chats, generate_series(1, $4::int) as n where chats.id = $1`,
    [chat, known.map(({ id }) => id), known.length, CHATS],
  );
  await client.query('analyze chats');
  await client.end();
  const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  const asked: [string, (round: number) => string][] = [
    ['newest 50 chats', () => '/v1/chats?limit=50'],
    ['50 chats in the midst', () => `/v1/chats?limit=50&before=${idOf(CHATS / 2)}`],
    ['one chat of another kernel', round => `/v1/chats/${idOf(1 + ((round * 3 + 1) % CHATS))}`],
  ];
  const rows: Row[] = [];
  for (const [name, path] of asked) {
    const times: number[] = [];
    for (let round = 0; round < (rig.quick ? 30 : 200); round++) {
      const begun = now();
      await call('GET', `${first.url}${path(round)}`);
      if (round >= 10) times.push(now() - begun);
    }
    const of = `fleet: ${name} of ${CHATS.toLocaleString('en')}`;
    rows.push(
      { measure: of, unit: 'ms', kernel: median(times) },
      { measure: `${of}, p99`, unit: 'ms', kernel: quantile(times, 0.99) },
    );
  }
  return rows;
}
