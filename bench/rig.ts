/** The rig of every measure: the running programs, and fair turns between them. */
import { CHAT_COMPLETIONS, stream, type Timing } from './client.ts';
import { chatBody } from './history.ts';
import type { Program } from './process.ts';
import type { Figures, Row } from './table.ts';

export interface Rig {
  upstream: Program;
  proxy: Program;
  /** The files of the kernels' programs. */
  programs: Both<string>;
  /** Fewer rounds. */
  quick: boolean;
  /** Also what takes minutes. */
  large: boolean;
}

export interface Measure {
  name: string;
  run(rig: Rig): Promise<Row[]>;
}

/** Something of the kernel of this checkout and, where two revisions are compared, of the other one. */
export interface Both<Value> {
  kernel: Value;
  other?: Value;
}

/** Makes something of each, one after the other. */
export async function both<From, To>(
  { kernel, other }: Both<From>,
  make: (from: From) => To | Promise<To>,
): Promise<Both<To>> {
  return { kernel: await make(kernel), ...(other !== undefined && { other: await make(other) }) };
}

const NAMES = ['direct', 'proxy', 'kernel', 'other'] as const;
type Name = (typeof NAMES)[number];

/** What is measured, of each program in the same way. */
type Contestants<Result> = Partial<Record<Name, (round: number) => Promise<Result>>>;
export type Results<Result> = Record<Name, Result[]>;

/**
 * Direct, proxy, kernel, and again, so that what drifts on the machine hits all alike; of two kernels each is every other
 * time the first, for the second finds what the first has left to do. The first rounds don't count.
 */
export async function interleave<Result>(
  rounds: { warmup: number; counted: number },
  contestants: Contestants<Result>,
): Promise<Results<Result>> {
  const results: Results<Result> = { direct: [], proxy: [], kernel: [], other: [] };
  const swapped = ['direct', 'proxy', 'other', 'kernel'] as const;
  for (let round = 0; round < rounds.warmup + rounds.counted; round++) {
    for (const name of round % 2 === 0 ? NAMES : swapped) {
      const result = await contestants[name]?.(round);
      if (result !== undefined && round >= rounds.warmup) results[name].push(result);
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

/** One figure of each program that took part. */
export function figures<Result>(results: Results<Result>, of: (list: Result[]) => number): Figures {
  const each = NAMES.filter(name => name === 'kernel' || results[name].length > 0);
  return Object.fromEntries(each.map(name => [name, of(results[name])])) as unknown as Figures;
}

/** The medians of one aspect of the results. */
export const medians = <Result>(results: Results<Result>, aspect: (result: Result) => number): Figures =>
  figures(results, list => median(list.map(aspect)));

/** The same, of results that are numbers. */
export const middle = (results: Results<number>): Figures => medians(results, value => value);

/** How the kernel stands to the proxy; NaN where one was not measured. */
export const toProxy = ({ proxy = Number.NaN, kernel }: Figures): number => kernel / proxy;

/** How what the kernel adds stands to what the proxy adds. */
export const addedToProxy = ({ direct = Number.NaN, proxy = Number.NaN, kernel }: Figures): number =>
  (kernel - direct) / (proxy - direct);
