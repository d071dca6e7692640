/** The rig of every measure: the running programs, and fair turns between them. */
import { CHAT_COMPLETIONS, stream, type Timing } from './client.ts';
import { chatBody } from './history.ts';
import type { Program } from './process.ts';
import type { Row } from './table.ts';

export interface Rig {
  upstream: Program;
  proxy: Program;
  /** Fewer rounds. */
  quick: boolean;
}

export interface Measure {
  name: string;
  run(rig: Rig): Promise<Row[]>;
}

/** The programs that are measured, each in the same way. */
interface Contestants<Result> {
  direct(round: number): Promise<Result>;
  proxy(round: number): Promise<Result>;
  kernel(round: number): Promise<Result>;
}
export type Results<Result> = Record<keyof Contestants<Result>, Result[]>;

/** Direct, proxy, kernel, and again, so that what drifts on the machine hits all alike. The first rounds don't count. */
export async function interleave<Result>(
  rounds: { warmup: number; counted: number },
  contestants: Contestants<Result>,
): Promise<Results<Result>> {
  const results: Results<Result> = { direct: [], proxy: [], kernel: [] };
  for (let round = 0; round < rounds.warmup + rounds.counted; round++) {
    for (const name of ['direct', 'proxy', 'kernel'] as const) {
      const result = await contestants[name](round);
      if (round >= rounds.warmup) results[name].push(result);
    }
  }
  return results;
}

/** The two contestants that speak chat completions. */
export function completions({ upstream, proxy }: Rig, model: string, turns: number) {
  const body = chatBody(model, turns);
  const ask = (program: Program) => (): Promise<Timing> =>
    stream(`${program.url}/v1/chat/completions`, body, CHAT_COMPLETIONS);
  return { direct: ask(upstream), proxy: ask(proxy) };
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The three medians of one aspect of the results. */
export const medians = <Result>(results: Results<Result>, aspect: (result: Result) => number) => ({
  direct: median(results.direct.map(aspect)),
  proxy: median(results.proxy.map(aspect)),
  kernel: median(results.kernel.map(aspect)),
});
