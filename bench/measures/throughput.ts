/** Tokens a second of one long turn with no delay anywhere, and the processor time of a thousand tokens. */
import type { Timing } from '../client.ts';
import { KernelHome, kernelTurn, newChat } from '../kernel.ts';
import { type Program, processorMs } from '../process.ts';
import { completions, interleave, type Measure, medians, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const TOKENS = 5000;
const LEAST_SHARE = { at: 'least', value: 0.5 } as const;

export const throughput: Measure = {
  name: 'throughput',
  async run(rig) {
    const kernel = await new KernelHome(rig.upstream.url).start();
    try {
      const singly = await measure(rig, kernel, 'tokens');
      const bursts = await measure(rig, kernel, 'burst');
      return [
        { ...rate('5000 tokens, each written by itself', singly), target: LEAST_SHARE },
        rate('5000 tokens in bursts', bursts),
        processor('processor time per 1000 tokens', singly),
        processor('processor time per 1000 tokens in bursts', bursts),
      ];
    } finally {
      await kernel.stop();
    }
  },
};

type Sample = Timing & { processor: number };

function measure(rig: Rig, kernel: Program, manner: string) {
  const model = `${manner}-${TOKENS}`;
  const { direct, proxy } = completions(rig, model, 0);
  const watched = async (program: Program, turn: () => Promise<Timing>): Promise<Sample> => {
    const before = processorMs(program.pid);
    const timing = await turn();
    return { ...timing, processor: processorMs(program.pid) - before };
  };
  return interleave<Sample>(
    { warmup: 5, counted: rig.quick ? 5 : 20 },
    {
      direct: () => watched(rig.upstream, direct),
      proxy: () => watched(rig.proxy, proxy),
      async kernel() {
        const chat = await newChat(kernel.url);
        return watched(kernel, () => kernelTurn(kernel.url, chat, model));
      },
    },
  );
}

type Samples = Awaited<ReturnType<typeof measure>>;

function rate(name: string, samples: Samples): Row {
  const rates = medians(samples, sample => (TOKENS / sample.done) * 1000);
  return { measure: name, unit: 'tokens/s', ...rates, ratio: rates.kernel / rates.proxy };
}

/** The processor time of proxy and kernel alone; summed up, because /proc counts in steps of 10 ms. */
function processor(name: string, samples: Samples): Row {
  const perThousand = (list: Sample[]) =>
    list.reduce((sum, sample) => sum + sample.processor, 0) / ((list.length * TOKENS) / 1000);
  const proxy = perThousand(samples.proxy);
  const kernel = perThousand(samples.kernel);
  return { measure: name, unit: 'ms', proxy, kernel, ratio: kernel / proxy };
}
