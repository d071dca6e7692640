/** Measures concurrent turns, each in a separate chat: total time, time for each, failures, memory. */
import { chatBody } from '../history.ts';
import { messageBody, newChat, newHomes, withKernels } from '../kernel.ts';
import { forgetPeak, type Program, residentMb } from '../process.ts';
import type { Job, Report } from '../reader.ts';
import { Readers, wallOf } from '../readers.ts';
import {
  type Both,
  both,
  figures,
  interleave,
  type Measure,
  medians,
  quantile,
  type Results,
  type Rig,
  toProxy,
} from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-500';
const SIDE_BY_SIDE = [1, 10, 50, 100, 200];
const HELD_TO_TARGET = 100;
const WALL_TARGET = { at: 'most', value: 2.5 } as const;

export const concurrency: Measure = {
  name: 'concurrency',
  async run(rig) {
    const readers = new Readers();
    try {
      return await withKernels(await newHomes(rig), async kernels => {
        const rows: Row[] = [];
        for (const count of SIDE_BY_SIDE) {
          await both(kernels, ({ pid }) => forgetPeak(pid));
          rows.push(...rowsOf(count, await measure(rig, kernels, readers, count)));
          const peak = await both(kernels, ({ pid }) => residentMb(pid, 'peak'));
          if (count >= HELD_TO_TARGET)
            rows.push({ measure: `${count} turns: peak memory`, unit: 'MB', ...peak });
        }
        return rows;
      });
    } finally {
      await readers.stop();
    }
  },
};

function measure(
  rig: Rig,
  { kernel, other }: Both<Program>,
  readers: Readers,
  count: number,
): Promise<Results<Report>> {
  const body = chatBody(MODEL, 0).toString();
  const completions = (program: Program) => () => {
    const request = { method: 'POST', path: '/v1/chat/completions', body } as const;
    return readers.read({ url: program.url, requests: Array(count).fill(request), end: 'data: [DONE]' });
  };
  const turns = (program: Program) => async () => readers.read(await turnsJob(program.url, count, MODEL));
  return interleave<Report>(
    { warmup: 2, counted: rig.quick ? 3 : 8 },
    {
      direct: completions(rig.upstream),
      proxy: completions(rig.proxy),
      kernel: turns(kernel),
      ...(other && { other: turns(other) }),
    },
  );
}

/** Runs turns of a kernel, each in a new chat. */
async function turnsJob(url: string, count: number, model: string): Promise<Job> {
  const chats = await Promise.all(Array.from({ length: count }, () => newChat(url)));
  const body = messageBody(model);
  const requests = chats.map(id => ({ method: 'POST', path: `/v1/chats/${id}/messages`, body }) as const);
  return { url, requests, end: '"type":"done","' };
}

function rowsOf(count: number, results: Results<Report>): Row[] {
  const name = `${count} turn${count > 1 ? 's' : ''} of 500 tokens`;
  const wall = medians(results, wallOf);
  const held = count === HELD_TO_TARGET ? { ratio: toProxy(wall), target: WALL_TARGET } : {};
  const share = (part: number) =>
    figures(results, list =>
      quantile(
        list.flatMap(({ sent, ended }) => ended.map(end => end - sent)),
        part,
      ),
    );
  const failed = figures(results, list => list.reduce((sum, { errors }) => sum + errors, 0));
  return [
    { measure: `${name}: all`, unit: 'ms', ...wall, ...held },
    { measure: `${name}: p50`, unit: 'ms', ...share(0.5) },
    { measure: `${name}: p99`, unit: 'ms', ...share(0.99) },
    { measure: `${name}: errors`, unit: '', ...failed, target: { at: 'most', value: 0 } },
  ];
}
