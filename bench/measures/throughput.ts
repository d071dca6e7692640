/** Measures tokens per second of one long turn without any delay, and the processor time of a thousand tokens. */
import type { Timing } from '../client.ts';
import { kernelTurn, newChat, newHomes, withKernels } from '../kernel.ts';
import { type Program, processorMs } from '../process.ts';
import {
  type Both,
  completions,
  figures,
  interleave,
  type Measure,
  medians,
  type Results,
  type Rig,
  toProxy,
} from '../rig.ts';
import type { Row } from '../table.ts';

const TOKENS = 5000;
const LEAST_SHARE = { at: 'least', value: 0.5 } as const;

export const throughput: Measure = {
  name: 'throughput',
  async run(rig) {
    return withKernels(await newHomes(rig), async kernels => {
      const singly = await measure(rig, kernels, 'tokens');
      const bursts = await measure(rig, kernels, 'burst');
      return [
        held(rate('5000 tokens, each written by itself', singly)),
        rate('5000 tokens in bursts', bursts),
        processor('processor time per 1000 tokens', singly),
        processor('processor time per 1000 tokens in bursts', bursts),
      ];
    });
  },
};

type Sample = Timing & { processor: number };

function measure(rig: Rig, { kernel, other }: Both<Program>, manner: string): Promise<Results<Sample>> {
  const model = `${manner}-${TOKENS}`;
  const { direct, proxy } = completions(rig, model, 0);
  const watched = async (program: Program, turn: () => Promise<Timing>): Promise<Sample> => {
    const before = processorMs(program.pid);
    const timing = await turn();
    return { ...timing, processor: processorMs(program.pid) - before };
  };
  const turnOf = (program: Program) => async () => {
    const chat = await newChat(program.url);
    return watched(program, () => kernelTurn(program.url, chat, model));
  };
  return interleave<Sample>(
    { warmup: 5, counted: rig.quick ? 5 : 20 },
    {
      direct: () => watched(rig.upstream, direct),
      proxy: () => watched(rig.proxy, proxy),
      kernel: turnOf(kernel),
      ...(other && { other: turnOf(other) }),
    },
  );
}

function rate(name: string, samples: Results<Sample>): Row {
  const rates = medians(samples, sample => (TOKENS / sample.done) * 1000);
  return { measure: name, unit: 'tokens/s', ...rates };
}

const held = (row: Row): Row => ({ ...row, ratio: toProxy(row), target: LEAST_SHARE });

/** The processor time of proxy and kernel only; summed up, because /proc counts in steps of 10 ms. */
function processor(name: string, samples: Results<Sample>): Row {
  const { direct: _, ...spent } = figures(
    samples,
    list => list.reduce((sum, sample) => sum + sample.processor, 0) / ((list.length * TOKENS) / 1000),
  );
  return { measure: name, unit: 'ms', ...spent };
}
