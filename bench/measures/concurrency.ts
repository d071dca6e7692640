/** Turns side by side, each in a chat of its own: how long all take, how long each waits, what fails, what it weighs. */
import { KernelHome, kernelTurn, newChat } from '../kernel.ts';
import { forgetPeak, residentMb } from '../process.ts';
import { completions, interleave, type Measure, medians, quantile, type Results, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-500';
const SIDE_BY_SIDE = [1, 10, 50, 100];
const HELD_TO_TARGET = 100;
const WALL_TARGET = { at: 'most', value: 2.5 } as const;

export const concurrency: Measure = {
  name: 'concurrency',
  async run(rig) {
    const kernel = await new KernelHome(rig.upstream.url).start();
    try {
      const rows: Row[][] = [];
      for (const count of SIDE_BY_SIDE) {
        forgetPeak(kernel.pid);
        rows.push(rowsOf(count, await measure(rig, kernel.url, count)));
      }
      const peak = residentMb(kernel.pid, 'peak');
      return [...rows.flat(), { measure: `${HELD_TO_TARGET} turns: peak memory`, unit: 'MB', kernel: peak }];
    } finally {
      await kernel.stop();
    }
  },
};

interface Sample {
  wall: number;
  /** Milliseconds of each turn that came through. */
  turns: number[];
  errors: number;
}

function measure(rig: Rig, url: string, count: number): Promise<Results<Sample>> {
  const { direct, proxy } = completions(rig, MODEL, 0);
  return interleave<Sample>(
    { warmup: 2, counted: rig.quick ? 3 : 8 },
    {
      direct: () => together(Array.from({ length: count }, () => direct)),
      proxy: () => together(Array.from({ length: count }, () => proxy)),
      async kernel() {
        const chats = await Promise.all(Array.from({ length: count }, () => newChat(url)));
        return together(chats.map(chat => () => kernelTurn(url, chat, MODEL)));
      },
    },
  );
}

async function together(turns: (() => Promise<{ done: number }>)[]): Promise<Sample> {
  const begun = performance.now();
  const ended = await Promise.allSettled(turns.map(turn => turn()));
  const wall = performance.now() - begun;
  const done = ended.flatMap(end => (end.status === 'fulfilled' ? [end.value.done] : []));
  return { wall, turns: done, errors: ended.length - done.length };
}

function rowsOf(count: number, results: Results<Sample>): Row[] {
  const name = `${count} turn${count > 1 ? 's' : ''} of 500 tokens`;
  const wall = medians(results, sample => sample.wall);
  const held = count === HELD_TO_TARGET ? { target: WALL_TARGET } : {};
  const share = (part: number) => {
    const of = (list: Sample[]) =>
      quantile(
        list.flatMap(sample => sample.turns),
        part,
      );
    return { direct: of(results.direct), proxy: of(results.proxy), kernel: of(results.kernel) };
  };
  const failed = (list: Sample[]) => list.reduce((sum, sample) => sum + sample.errors, 0);
  return [
    { measure: `${name}: all`, unit: 'ms', ...wall, ratio: wall.kernel / wall.proxy, ...held },
    { measure: `${name}: p50`, unit: 'ms', ...share(0.5) },
    { measure: `${name}: p99`, unit: 'ms', ...share(0.99) },
    {
      measure: `${name}: errors`,
      unit: '',
      direct: failed(results.direct),
      proxy: failed(results.proxy),
      kernel: failed(results.kernel),
      target: { at: 'most', value: 0 },
    },
  ];
}
