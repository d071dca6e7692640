/** From the start of the process to its first healthy answer, and what it weighs when it has nothing to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../client.ts';
import { KernelHome } from '../kernel.ts';
import { residentMb } from '../process.ts';
import { type Measure, median } from '../rig.ts';

const STARTS = 5;
const IDLE_MS = 3000;

export const coldStart: Measure = {
  name: 'start',
  async run({ upstream }) {
    const first: number[] = [];
    const again: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < STARTS; round++) {
      const home = new KernelHome(upstream.url);
      first.push(await startOnce(home));
      again.push(await startOnce(home, pid => idle.push(residentMb(pid, 'now'))));
    }
    return [
      {
        measure: 'start with an empty data directory',
        unit: 'ms',
        kernel: median(first),
        target: { at: 'most', value: 600 },
      },
      { measure: 'start', unit: 'ms', kernel: median(again), target: { at: 'most', value: 600 } },
      { measure: 'memory when idle', unit: 'MB', kernel: median(idle), target: { at: 'most', value: 130 } },
    ];
  },
};

/** Milliseconds from spawn to the first 200 of /healthz. */
async function startOnce(home: KernelHome, whenIdle?: (pid: number) => void): Promise<number> {
  const begun = performance.now();
  const kernel = await home.start();
  await call('GET', `${kernel.url}/healthz`);
  const taken = performance.now() - begun;
  if (whenIdle) {
    await sleep(IDLE_MS);
    whenIdle(kernel.pid);
  }
  await kernel.stop();
  return taken;
}
