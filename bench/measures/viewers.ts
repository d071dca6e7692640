/** Measures many viewers of one turn: the time until all have seen its end, and failures. */
import { kernelTurn, newChat, newHomes, withKernels } from '../kernel.ts';
import type { Program } from '../process.ts';
import { Readers } from '../readers.ts';
import { figures, interleave, type Measure, medians } from '../rig.ts';

const MODEL = 'tokens-500';
const VIEWERS = 1000;

interface Sample {
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
        const { kernel, other } = kernels;
        const results = await interleave<Sample>(
          { warmup: 1, counted: rig.quick ? 2 : 5 },
          {
            kernel: () => sample(kernel, readers),
            ...(other && { other: () => sample(other, readers) }),
          },
        );
        const of = `${VIEWERS} viewers of a turn of 500 tokens`;
        const errors = figures(results, list => list.reduce((sum, { errors }) => sum + errors, 0));
        return [
          { measure: `${of}: all have its end`, unit: 'ms', ...medians(results, ({ all }) => all) },
          { measure: `${of}: errors`, unit: '', ...errors, target: { at: 'most', value: 0 } },
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
  const { begun: start } = await kernelTurn(url, chat, MODEL);
  const { ended, errors } = await reading;
  return { all: Math.max(...ended) - start, errors };
}
