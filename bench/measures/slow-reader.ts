/**
 * Measures readers on a slow connection, such as phones: they must not affect other turns or the memory of the kernel.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Timing } from '../client.ts';
import { kernelTurn, newHomes, startedChat, withKernels } from '../kernel.ts';
import { type Program, residentMb } from '../process.ts';
import { Readers } from '../readers.ts';
import { type Both, both, interleave, type Measure, medians, type Results, type Rig } from '../rig.ts';
import { turnsJob } from './concurrency.ts';

const MODEL = 'tokens-20';
const SLOW = 20;
/** Some 400 kB at 16 kB a second: reading continues long after the turns have ended. */
const LONG = 'burst-20000';
const PAUSE = { bytes: 16_384, ms: 1000 };

export const slowReader: Measure = {
  name: 'slow-reader',
  async run(rig) {
    return withKernels(await newHomes(rig), async kernels => {
      const before = await turns(rig, kernels);
      const lean = await both(kernels, ({ pid }) => residentMb(pid, 'now'));
      const slow = await both(kernels, ({ url }) => SlowReaders.begin(url));
      const beside = await turns(rig, kernels);
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

function turns(rig: Rig, { kernel, other }: Both<Program>): Promise<Results<Timing>> {
  const turnOf =
    ({ url }: Program) =>
    async () =>
      kernelTurn(url, await startedChat(url), MODEL);
  return interleave<Timing>(
    { warmup: 10, counted: rig.quick ? 20 : 100 },
    { kernel: turnOf(kernel), ...(other && { other: turnOf(other) }) },
  );
}

class SlowReaders {
  readonly #readers = new Readers();
  #through = false;

  /** Resolves when their turns have ended; the readers continue. */
  static async begin(url: string): Promise<SlowReaders> {
    const slow = new SlowReaders();
    const job = await turnsJob(url, SLOW, LONG);
    const { promise: all, resolve: begun } = Promise.withResolvers<void>();
    slow.#readers.read({ ...job, pause: PAUSE }, begun).then(
      () => (slow.#through = true),
      // Stopped, as expected.
      () => undefined,
    );
    await all;
    while ((await call<{ turns: { running: number } }>('GET', `${url}/v1/stats`)).turns.running > 0)
      await sleep(50);
    return slow;
  }

  async stop(): Promise<void> {
    await this.#readers.stop();
    if (this.#through) throw new Error('The slow readers were through too early');
  }
}
