/** Measures many viewers of one turn: the time until all have seen its end, and their memory. */
import type { Timing } from '../client.ts';
import { kernelTurn, newChat, newHomes, withKernels } from '../kernel.ts';
import { forgetPeak, type Program, residentMb } from '../process.ts';
import { Readers } from '../readers.ts';
import { both, figures, interleave, type Measure, medians } from '../rig.ts';

const MODEL = 'tokens-500';
const VIEWERS = 1000;

interface Sample {
  /** Milliseconds of the turn for the client that started it. */
  turn: number;
  /** Milliseconds until the last viewer has seen its end. */
  all: number;
  errors: number;
}

export const viewers: Measure = {
  name: 'viewers',
  async run(rig) {
    const readers = new Readers();
    try {
      return await withKernels(await newHomes(rig), async kernels => {
        await both(kernels, ({ pid }) => forgetPeak(pid));
        const { kernel, other } = kernels;
        const results = await interleave<Sample>(
          { warmup: 1, counted: rig.quick ? 2 : 5 },
          {
            kernel: () => sample(kernel, readers),
            ...(other && { other: () => sample(other, readers) }),
          },
        );
        const peak = await both(kernels, ({ pid }) => residentMb(pid, 'peak'));
        const of = `${VIEWERS} viewers of a turn of 500 tokens`;
        const errors = figures(results, list => list.reduce((sum, { errors }) => sum + errors, 0));
        return [
          { measure: `${of}: the turn`, unit: 'ms', ...medians(results, ({ turn }) => turn) },
          { measure: `${of}: all have its end`, unit: 'ms', ...medians(results, ({ all }) => all) },
          { measure: `${of}: errors`, unit: '', ...errors, target: { at: 'most', value: 0 } },
          { measure: `${of}: peak memory`, unit: 'MB', ...peak },
        ];
      });
    } finally {
      await readers.stop();
    }
  },
};

async function sample({ url }: Program, readers: Readers): Promise<Sample> {
  const chat = await newChat(url);
  const path = `/v1/chats/${chat}/live?follow=true`;
  const requests = Array(VIEWERS).fill({ method: 'GET', path });
  const { promise: all, resolve: begun } = Promise.withResolvers<void>();
  const reading = readers.read({ url, requests, end: '"type":"done","' }, begun);
  await all;
  const turn: Timing = await kernelTurn(url, chat, MODEL);
  const { ended, errors } = await reading;
  return { turn: turn.done, all: Math.max(...ended) - turn.begun, errors };
}
