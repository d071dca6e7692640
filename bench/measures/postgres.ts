/**
 * Measures the first word with Postgres as the database, next to the time of the server itself. The server syncs
 * commits.
 */
import pg from 'pg';
import type { PostgresServer } from '../../packages/storage/test/postgres.ts';
import { now } from '../clock.ts';
import { KernelHome, kernelTurn, startedChat, withKernels } from '../kernel.ts';
import { withPostgres } from '../postgres.ts';
import type { Program } from '../process.ts';
import { both, completions, interleave, type Measure, median, medians, type Rig, toDurable } from '../rig.ts';
import type { Row } from '../table.ts';
import { PACES, paced } from './first-delta.ts';

const MODEL = 'tokens-20';
const TARGET = { at: 'most', value: 3.5 } as const;

export const postgres: Measure = {
  name: 'postgres',
  run: rig =>
    withPostgres('postgres', async server => [
      ...(await turns(rig, server)),
      ...(await queries(await server.createDatabase())),
    ]),
};

async function turns(rig: Rig, server: PostgresServer): Promise<Row[]> {
  const homes = await both(
    rig.programs,
    async program => new KernelHome(rig.upstream.url, program, { database: await server.createDatabase() }),
  );
  return withKernels(homes, async ({ kernel, other }) => {
    const rows: Row[] = [];
    for (const pace of PACES) {
      const { direct, proxy, durable } = completions(rig, MODEL, 1);
      const turnOf =
        ({ url }: Program) =>
        async () => {
          const chat = await startedChat(url);
          return paced(pace, () => kernelTurn(url, chat, MODEL));
        };
      const results = await interleave(
        { warmup: rig.quick ? 5 : 20, counted: rig.quick ? 20 : 100 },
        {
          direct: () => paced(pace, direct),
          proxy: () => paced(pace, proxy),
          durable: () => paced(pace, durable),
          kernel: turnOf(kernel),
          ...(other && { other: turnOf(other) }),
        },
      );
      const first = medians(results, timing => timing.first);
      const measure = `Postgres: first delta after 1 turn${pace.words}`;
      rows.push({ measure, unit: 'ms', ...first, ratio: toDurable(first), target: TARGET });
    }
    return rows;
  });
}

/** Measures a round trip to the server, without and with something to commit. */
async function queries(connectionString: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('create table marks (number bigint)');
    const trip = await medianOf(() => client.query('select 1'));
    const commit = await medianOf(() => client.query('insert into marks values (1)'));
    return [
      { measure: 'Postgres: a trivial query', unit: 'ms', kernel: trip },
      { measure: 'Postgres: a commit', unit: 'ms', kernel: commit },
    ];
  } finally {
    await client.end();
  }
}

async function medianOf(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 100; round++) {
    const begun = now();
    await act();
    times.push(now() - begun);
  }
  return median(times);
}
