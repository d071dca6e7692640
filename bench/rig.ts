/** The rig of every measure: runs the programs, and alternates fairly between them. */
import { CHAT_COMPLETIONS, stream, type Timing } from './client.ts';
import { chatBody } from './history.ts';
import type { Program } from './process.ts';
import type { Figures, Row } from './table.ts';

export interface Rig {
  upstream: Program;
  proxy: Program;
  /** The proxy that also stores each request and response. */
  durable: Program;
  /** The files of the kernels' programs. */
  programs: Both<string>;
  /** Whether to run fewer rounds. */
  quick: boolean;
  /** Whether to run measures that take minutes. */
  large: boolean;
}

export interface Measure {
  name: string;
  run(rig: Rig): Promise<Row[]>;
}

/** A value for the kernel of this checkout and, if two revisions are compared, for the other one. */
export interface Both<Value> {
  kernel: Value;
  other?: Value;
}

/** Converts each value, one after the other. */
export async function both<From, To>(
  { kernel, other }: Both<From>,
  make: (from: From) => To | Promise<To>,
): Promise<Both<To>> {
  return { kernel: await make(kernel), ...(other !== undefined && { other: await make(other) }) };
}

const NAMES = ['direct', 'proxy', 'durable', 'kernel', 'other'] as const;
type Name = (typeof NAMES)[number];

/** Functions that measure each program in the same way. */
type Contestants<Result> = Partial<Record<Name, (round: number) => Promise<Result>>>;
export type Results<Result> = Record<Name, Result[]>;

/**
 * Measures all contestants in rotation, so that drift of the machine affects all equally; two kernels alternate in going
 * first, because the second finds work that the first has left. The first rounds do not count.
 */
export async function interleave<Result>(
  rounds: { warmup: number; counted: number },
  contestants: Contestants<Result>,
): Promise<Results<Result>> {
  const results: Results<Result> = { direct: [], proxy: [], durable: [], kernel: [], other: [] };
  const swapped = ['direct', 'proxy', 'durable', 'other', 'kernel'] as const;
  for (let round = 0; round < rounds.warmup + rounds.counted; round++) {
    for (const name of round % 2 === 0 ? NAMES : swapped) {
      const result = await contestants[name]?.(round);
      if (result !== undefined && round >= rounds.warmup) results[name].push(result);
    }
  }
  return results;
}

/** The contestants that use chat completions. */
export function completions({ upstream, proxy, durable }: Rig, model: string, turns: number) {
  const body = chatBody(model, turns);
  const ask = (program: Program) => (): Promise<Timing> =>
    stream(`${program.url}/v1/chat/completions`, body, CHAT_COMPLETIONS);
  return { direct: ask(upstream), proxy: ask(proxy), durable: ask(durable) };
}

/** The value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns one number of each program that took part. */
export function figures<Result>(results: Results<Result>, of: (list: Result[]) => number): Figures {
  const each = NAMES.filter(name => name === 'kernel' || results[name].length > 0);
  return Object.fromEntries(each.map(name => [name, of(results[name])])) as unknown as Figures;
}

/** The medians of one aspect of the results. */
export const medians = <Result>(results: Results<Result>, aspect: (result: Result) => number): Figures =>
  figures(results, list => median(list.map(aspect)));

/** The ratio of the kernel to a proxy; NaN if that was not measured. */
export const toProxy = ({ proxy = Number.NaN, kernel }: Figures): number => kernel / proxy;
export const toDurable = ({ durable = Number.NaN, kernel }: Figures): number => kernel / durable;
