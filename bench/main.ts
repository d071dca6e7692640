/**
 * The bench: compares the kernel with no proxy, the simplest proxy and the simplest durable proxy in one run, so that the
 * machine does not matter. `npm run bench -- --help` lists the options. Exit code 1: a target was missed.
 */
import { join } from 'node:path';
import { programIn, SOURCES } from '../test/harness/program.ts';
import { newFolder } from './folders.ts';
import { concurrency } from './measures/concurrency.ts';
import { firstDelta } from './measures/first-delta.ts';
import { firstTurn } from './measures/first-turn.ts';
import { fleet } from './measures/fleet.ts';
import { postgres } from './measures/postgres.ts';
import { search } from './measures/search.ts';
import { soak } from './measures/soak.ts';
import { coldStart } from './measures/start.ts';
import { terminal } from './measures/terminal.ts';
import { throughput } from './measures/throughput.ts';
import { viewers } from './measures/viewers.ts';
import { web } from './measures/web.ts';
import { readOptions } from './options.ts';
import { start } from './process.ts';
import { checkOut } from './revision.ts';
import type { Rig } from './rig.ts';
import { type Row, table, verdict } from './table.ts';

/** All measures; the one with the longest preparation is last. */
const MEASURES = [
  firstDelta,
  postgres,
  fleet,
  firstTurn,
  throughput,
  concurrency,
  viewers,
  coldStart,
  web,
  terminal,
  search,
  soak,
];

const options = readOptions(MEASURES.map(({ name }) => name));
const chosen = MEASURES.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const other = options.compare === undefined ? undefined : checkOut(options.compare);

const upstream = await start(join(import.meta.dirname, 'upstream.ts'));
const proxyFile = join(import.meta.dirname, 'proxy.ts');
const proxy = await start(proxyFile, upstream.url);
const durable = await start(proxyFile, upstream.url, newFolder());
const programs = {
  kernel: SOURCES,
  ...(other && { other: programIn(other.root) }),
};
const rig: Rig = { upstream, proxy, durable, programs, quick: options.quick, large: options.large };
const rows: Row[] = [];
try {
  for (const measure of chosen) {
    console.error(`measuring: ${measure.name}`);
    rows.push(...(await measure.run(rig)));
  }
} finally {
  await durable.stop();
  await proxy.stop();
  await upstream.stop();
}
console.log(table(rows, other?.name));
// The process would not end on its own after a Postgres, because the package waits for an exit.
process.exit(rows.some(row => verdict(row) === 'MISSED') ? 1 : 0);
