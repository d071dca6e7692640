/** Measures tokens per second of one long turn without any delay. */
import { kernelTurn, newChat, newHomes, withKernels } from '../kernel.ts';
import type { Program } from '../process.ts';
import { completions, interleave, type Measure, medians, toProxy } from '../rig.ts';

const TOKENS = 5000;
const MODEL = `tokens-${TOKENS}`;

export const throughput: Measure = {
  name: 'throughput',
  async run(rig) {
    return withKernels(await newHomes(rig), async ({ kernel, other }) => {
      const turnOf =
        ({ url }: Program) =>
        async () =>
          kernelTurn(url, await newChat(url), MODEL);
      const results = await interleave(
        { warmup: 5, counted: rig.quick ? 5 : 20 },
        {
          ...completions(rig, MODEL, 0),
          kernel: turnOf(kernel),
          ...(other && { other: turnOf(other) }),
        },
      );
      const rates = medians(results, ({ done }) => (TOKENS / done) * 1000);
      return [
        {
          measure: `${TOKENS} tokens, each written separately`,
          unit: 'tokens/s',
          ...rates,
          ratio: toProxy(rates),
          target: { at: 'least', value: 0.5 },
        },
      ];
    });
  },
};
