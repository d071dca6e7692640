/**
 * Measures several kernels on one Postgres: what each additional one gains and costs, the cost of a hop, and lists with
 * many chats.
 */
import pg from 'pg';
import { call } from '../client.ts';
import { now } from '../clock.ts';
import { withFleet } from '../fleet.ts';
import { kernelTurn, newChat, startedChat } from '../kernel.ts';
import { withPostgres } from '../postgres.ts';
import type { Program } from '../process.ts';
import { type Measure, median, quantile, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';
import { fleetTurns } from './fleet-turns.ts';

const MODEL = 'tokens-20';
const CHATS = 10_000;
export const fleet: Measure = {
  name: 'fleet',
  run: rig =>
    withPostgres('fleet', async server => {
      const rows = await fleetTurns(rig, server);
      await withFleet(rig, server, { kernels: 3 }, async (kernels, database) => {
        rows.push(...(await hops(rig, kernels)), ...(await lists(rig, kernels, database)));
      });
      return rows;
    }),
};

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
