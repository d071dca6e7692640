/**
 * The bench: the kernel against the barest proxy and no proxy at all, in one run, so that the machine does not matter.
 * `npm run bench`, `-- --quick` for fewer rounds, `-- <measure>` for one of them. Exit code 1: a target was missed.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { concurrency } from './measures/concurrency.ts';
import { firstDelta } from './measures/first-delta.ts';
import { items } from './measures/items.ts';
import { coldStart } from './measures/start.ts';
import { throughput } from './measures/throughput.ts';
import { web } from './measures/web.ts';
import { start } from './process.ts';
import type { Rig } from './rig.ts';
import { type Row, table, verdict } from './table.ts';

/** THE list; the longest preparation stands last. */
const MEASURES = [firstDelta, throughput, concurrency, coldStart, web, items];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
});
const only = values.only ?? positionals[0];
const chosen = MEASURES.filter(({ name }) => only === undefined || only === name);
if (chosen.length === 0) {
  console.error(`--only takes one of ${MEASURES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const upstream = await start(join(import.meta.dirname, 'upstream.ts'));
const proxy = await start(join(import.meta.dirname, 'proxy.ts'), upstream.url);
const rig: Rig = { upstream, proxy, quick: values.quick ?? false };
const rows: Row[] = [];
try {
  for (const measure of chosen) {
    console.error(`measuring: ${measure.name}`);
    rows.push(...(await measure.run(rig)));
  }
} finally {
  await proxy.stop();
  await upstream.stop();
}
console.log(table(rows));
process.exitCode = rows.some(row => verdict(row) === 'MISSED') ? 1 : 0;
