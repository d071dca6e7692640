/** Readers on a bad line, as phones are: other turns and the memory of the kernel must not suffer from them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timing } from '../client.ts';
import { kernelTurn, newHomes, startedChat, withKernels } from '../kernel.ts';
import { type Program, residentMb } from '../process.ts';
import { Readers } from '../readers.ts';
import { both, interleave, type Measure, medians, type Results, type Rig } from '../rig.ts';
import { turnsJob } from './concurrency.ts';

const MODEL = 'tokens-20';
const SLOW = 20;
/** At most 160 kB a second, of turns that are over within one; each has some two megabytes to read. */
const PAUSE = { bytes: 16_384, ms: 100 };
const SETTLED_MS = 2000;

export const slowReader: Measure = {
  name: 'slow-reader',
  async run(rig) {
    return withKernels(await newHomes(rig), async kernels => {
      const before = await turns(rig, kernels.kernel, kernels.other);
      const lean = await both(kernels, ({ pid }) => residentMb(pid, 'now'));
      const slow = await both(kernels, ({ url }) => readSlowly(url));
      // Their turns end; what is left is readers that read.
      await sleep(SETTLED_MS);
      const beside = await turns(rig, kernels.kernel, kernels.other);
      const laden = await both(kernels, ({ pid }) => residentMb(pid, 'now'));
      await both(slow, readers => readers.stop());
      const row = (name: string, results: Results<Timing>) => ({
        measure: `first delta ${name}`,
        unit: 'ms',
        ...medians(results, timing => timing.first),
      });
      const phones = `${SLOW} slow readers`;
      return [
        row(`before ${phones}`, before),
        row(`beside ${phones}`, beside),
        { measure: `memory before ${phones}`, unit: 'MB', ...lean },
        { measure: `memory beside ${phones}`, unit: 'MB', ...laden },
      ];
    });
  },
};

function turns(rig: Rig, kernel: Program, other?: Program): Promise<Results<Timing>> {
  const turnOf =
    ({ url }: Program) =>
    async () =>
      kernelTurn(url, await startedChat(url), MODEL);
  return interleave<Timing>(
    { warmup: 10, counted: rig.quick ? 20 : 100 },
    { kernel: turnOf(kernel), ...(other && { other: turnOf(other) }) },
  );
}

/** Begins long turns; who reads them goes on reading until it is stopped. */
async function readSlowly(url: string): Promise<Readers> {
  const readers = new Readers();
  const { promise: all, resolve: begun } = Promise.withResolvers<void>();
  const job = await turnsJob(url, SLOW, 'tokens-5000');
  const reading = readers.read({ ...job, pause: PAUSE }, begun);
  // It is stopped long before it would be through.
  reading.catch(() => undefined);
  await all;
  return readers;
}
