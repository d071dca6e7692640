/** Measures the time from the start of the process to its first healthy response, and its memory when idle. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../client.ts';
import { now } from '../clock.ts';
import { BUNDLE, CHECKOUT, KernelHome } from '../kernel.ts';
import { type Program, residentMb, start } from '../process.ts';
import { type Both, interleave, type Measure, medians, type Rig, toProxy } from '../rig.ts';
import type { Figures, Row } from '../table.ts';

const STARTS = 7;
const IDLE_MS = 3000;
const RATIO_TARGET = { at: 'most', value: 4 } as const;
const MEMORY_TARGET = { at: 'most', value: 100 } as const;

export const coldStart: Measure = {
  name: 'start',
  async run(rig) {
    const rows = await measure(rig, rig.programs, 'start of the sources');
    const bundle = join(CHECKOUT, BUNDLE);
    if (!existsSync(bundle)) {
      console.error('start leaves out the bundle, which npm run build creates');
      return rows;
    }
    const targets = [RATIO_TARGET, RATIO_TARGET, MEMORY_TARGET];
    const held = await measure(rig, { kernel: bundle }, 'start of the bundle');
    return [...rows, ...held.map((row, index) => ({ ...row, target: targets[index]! }))];
  },
};

interface Sample {
  /** With an empty data directory. */
  first: number;
  again: number;
  idle: number;
}

async function measure(rig: Rig, { kernel, other }: Both<string>, name: string): Promise<Row[]> {
  const { upstream, quick } = rig;
  // The first and later starts of the proxy do not differ.
  const proxy = async (): Promise<Sample> => {
    const { ms, idle } = await startOnce(
      () => start(join(import.meta.dirname, '../proxy.ts'), upstream.url),
      true,
    );
    return { first: ms, again: ms, idle };
  };
  const sampleOf = (program: string) => async (): Promise<Sample> => {
    const home = new KernelHome(upstream.url, program);
    const first = await startOnce(() => home.start(), false);
    const again = await startOnce(() => home.start(), true);
    home.remove();
    return { first: first.ms, again: again.ms, idle: again.idle };
  };
  const results = await interleave<Sample>(
    // The very first start compiles what Node then caches.
    { warmup: 1, counted: quick ? 3 : STARTS },
    { proxy, kernel: sampleOf(kernel), ...(other && { other: sampleOf(other) }) },
  );
  const first = medians(results, ({ first }) => first);
  const again = medians(results, ({ again }) => again);
  const idle = medians(results, ({ idle }) => idle);
  const row = (measure: string, ms: Figures): Row => ({
    measure,
    unit: 'ms',
    ...ms,
    ratio: toProxy(ms),
  });
  return [
    row(`${name} with an empty data directory`, first),
    row(name, again),
    { measure: `${name}: memory when idle`, unit: 'MB', ...idle },
  ];
}

/** Returns milliseconds from spawn to the first response of /healthz, and megabytes after a while. */
async function startOnce(
  begin: () => Promise<Program>,
  idles: boolean,
): Promise<{ ms: number; idle: number }> {
  const begun = now();
  const program = await begin();
  await call('GET', `${program.url}/healthz`);
  const ms = now() - begun;
  if (idles) await sleep(IDLE_MS);
  const idle = residentMb(program.pid, 'now');
  await program.stop();
  return { ms, idle };
}
