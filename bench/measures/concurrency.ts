/** Measures concurrent turns, each in a separate chat: total time, the longest block of the event loop, failures. */
import { join } from 'node:path';
import { chatBody } from '../history.ts';
import { messageBody, newChat, newHomes, withKernels } from '../kernel.ts';
import type { Program } from '../process.ts';
import type { Job, Report } from '../reader.ts';
import { Readers, wallOf } from '../readers.ts';
import {
  type Both,
  figures,
  interleave,
  type Measure,
  medians,
  type Results,
  type Rig,
  toProxy,
} from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-500';
const SIDE_BY_SIDE = [100, 200];
const HELD_TO_TARGET = 100;
const WALL_TARGET = { at: 'most', value: 3.2 } as const;
const BLOCK_TARGET = { at: 'most', value: 50 } as const;
const PRELOAD = join(import.meta.dirname, '../event-loop.ts');

export const concurrency: Measure = {
  name: 'concurrency',
  async run(rig) {
    const readers = new Readers();
    try {
      return await withKernels(await newHomes(rig, { preload: PRELOAD }), async kernels => {
        const rows: Row[] = [];
        for (const count of SIDE_BY_SIDE)
          rows.push(...rowsOf(count, await measure(rig, kernels, readers, count)));
        return rows;
      });
    } finally {
      await readers.stop();
    }
  },
};

interface Sample extends Report {
  /** Milliseconds of the longest block of a kernel's event loop. */
  block?: number;
}

function measure(
  rig: Rig,
  { kernel, other }: Both<Program>,
  readers: Readers,
  count: number,
): Promise<Results<Sample>> {
  const body = chatBody(MODEL, 0).toString();
  const completions = (program: Program) => () => {
    const request = { method: 'POST', path: '/v1/chat/completions', body } as const;
    return readers.read({ url: program.url, requests: Array(count).fill(request), end: 'data: [DONE]' });
  };
  const turns = (program: Program) => async () => {
    const job = await turnsJob(program.url, count);
    await program.longestBlock(); // Resets it.
    const report = await readers.read(job);
    return { ...report, block: await program.longestBlock() };
  };
  return interleave<Sample>(
    { warmup: 2, counted: rig.quick ? 3 : 8 },
    {
      direct: completions(rig.upstream),
      proxy: completions(rig.proxy),
      durable: completions(rig.durable),
      kernel: turns(kernel),
      ...(other && { other: turns(other) }),
    },
  );
}

/** Runs turns of a kernel, each in a new chat. */
async function turnsJob(url: string, count: number): Promise<Job> {
  const chats = await Promise.all(Array.from({ length: count }, () => newChat(url)));
  const body = messageBody(MODEL);
  const requests = chats.map(id => ({ method: 'POST', path: `/v1/chats/${id}/messages`, body }) as const);
  return { url, requests, end: '"type":"done","' };
}

function rowsOf(count: number, results: Results<Sample>): Row[] {
  const name = `${count} turns of 500 tokens`;
  const failed = figures(results, list => list.reduce((sum, { errors }) => sum + errors, 0));
  const errors: Row = { measure: `${name}: errors`, unit: '', ...failed, target: { at: 'most', value: 0 } };
  if (count !== HELD_TO_TARGET) return [errors];
  const wall = medians(results, wallOf);
  const { kernel, other } = medians(results, ({ block = Number.NaN }) => block);
  const block = { kernel, ...(other !== undefined && { other }) };
  return [
    { measure: `${name}: all`, unit: 'ms', ...wall, ratio: toProxy(wall), target: WALL_TARGET },
    { measure: `${name}: longest block of the event loop`, unit: 'ms', ...block, target: BLOCK_TARGET },
    errors,
  ];
}
