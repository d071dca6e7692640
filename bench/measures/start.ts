/** Measures the time from the start of the process to its first healthy response, and its memory when idle. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../client.ts';
import { now } from '../clock.ts';
import { BUNDLE, CHECKOUT, KernelHome } from '../kernel.ts';
import { type Program, residentMb, start } from '../process.ts';
import { type Both, both, interleave, type Measure, medians, type Rig, toProxy } from '../rig.ts';
import type { Figures, Row } from '../table.ts';

const PROXY = join(import.meta.dirname, '../proxy.ts');
const STARTS = 7;
/** V8 returns the memory of the start half a minute later. */
const IDLE_MS = 40_000;
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
}

async function measure({ upstream, quick }: Rig, programs: Both<string>, name: string): Promise<Row[]> {
  const startProxy = () => start(PROXY, upstream.url);
  // The first and later starts of the proxy do not differ.
  const proxy = async (): Promise<Sample> => {
    const ms = await startOnce(startProxy);
    return { first: ms, again: ms };
  };
  const sampleOf = (home: KernelHome) => async (): Promise<Sample> => {
    home.empty();
    return { first: await startOnce(() => home.start()), again: await startOnce(() => home.start()) };
  };
  const homes = await both(programs, program => new KernelHome(upstream.url, program));
  const results = await interleave<Sample>(
    // The very first start compiles what Node then caches.
    { warmup: 1, counted: quick ? 3 : STARTS },
    { proxy, kernel: sampleOf(homes.kernel), ...(homes.other && { other: sampleOf(homes.other) }) },
  );
  const row = (measure: string, ms: Figures): Row => ({ measure, unit: 'ms', ...ms, ratio: toProxy(ms) });
  const idle = await idleMemory({ proxy: await startProxy(), ...(await both(homes, home => home.start())) });
  return [
    row(
      `${name} with an empty data directory`,
      medians(results, ({ first }) => first),
    ),
    row(
      name,
      medians(results, ({ again }) => again),
    ),
    { measure: `${name}: memory when idle`, unit: 'MB', ...idle },
  ];
}

/** Returns milliseconds from spawn to the first response of /healthz. */
async function startOnce(begin: () => Promise<Program>): Promise<number> {
  const begun = now();
  const program = await begin();
  await call('GET', `${program.url}/healthz`);
  const ms = now() - begun;
  await program.stop();
  return ms;
}

/** Returns the megabytes of programs that have done nothing for a while, and stops them. */
async function idleMemory(programs: Both<Program> & { proxy: Program }): Promise<Figures> {
  await sleep(IDLE_MS);
  const memory = ({ pid }: Program): number => residentMb(pid, 'now');
  const idle = { proxy: memory(programs.proxy), ...(await both(programs, memory)) };
  await programs.proxy.stop();
  await both(programs, program => program.stop());
  return idle;
}
