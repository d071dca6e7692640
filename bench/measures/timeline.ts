/** Measures the stages of the time to the first token from outside: the client and the upstream use the same clock. */
import { call, type Timing } from '../client.ts';
import { kernelTurn, newHomes, startedChat, withKernels } from '../kernel.ts';
import type { Program } from '../process.ts';
import { completions, interleave, type Measure, medians } from '../rig.ts';
import type { Last } from '../upstream.ts';

const MODEL = 'tokens-20';

/** Milliseconds from one mark to the next. */
interface Sample {
  /** When a kernel has read and stored the message. */
  headers: number;
  asked: number;
  answered: number;
  told: number;
  done: number;
}

export const timeline: Measure = {
  name: 'timeline',
  async run(rig) {
    const marked = async (turn: () => Promise<Timing>): Promise<Sample> => {
      const { begun, headers, first, done } = await turn();
      const last = await call<Last>('GET', rig.upstream.url);
      return {
        headers,
        asked: last.asked - begun,
        answered: last.answered - last.asked,
        told: begun + first - last.answered,
        done: done - first,
      };
    };
    const { direct, proxy } = completions(rig, MODEL, 1);
    const turnOf =
      ({ url }: Program) =>
      async () => {
        const chat = await startedChat(url);
        return marked(() => kernelTurn(url, chat, MODEL));
      };
    const results = await withKernels(await newHomes(rig), ({ kernel, other }) =>
      interleave<Sample>(
        { warmup: rig.quick ? 5 : 20, counted: rig.quick ? 20 : 100 },
        {
          direct: () => marked(direct),
          proxy: () => marked(proxy),
          kernel: turnOf(kernel),
          ...(other && { other: turnOf(other) }),
        },
      ),
    );
    const row = (name: string, mark: keyof Sample) => ({
      measure: `a turn: ${name}`,
      unit: 'ms',
      ...medians(results, sample => sample[mark]),
    });
    return [
      row('sent to headers', 'headers'),
      row('sent to model asked', 'asked'),
      row('model asked to its first byte', 'answered'),
      row('its first byte to first delta', 'told'),
      row('first delta to done', 'done'),
    ];
  },
};
