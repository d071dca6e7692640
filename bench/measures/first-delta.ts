/** Measures how long users wait for the first word, by the length of the history, and the processor time of a turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timing } from '../client.ts';
import { fillChats } from '../history.ts';
import { type KernelHome, kernelTurn, newChat, newHomes, startedChat, withKernels } from '../kernel.ts';
import { type Program, processorMs } from '../process.ts';
import {
  type Both,
  both,
  completions,
  figures,
  interleave,
  type Measure,
  medians,
  type Rig,
  toDurable,
} from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
/** Turns of the history. */
const LENGTHS = [1, 100, 1000];
const SHORTEST = 1;
/** Each measured turn extends its chat; rotating through several chats makes that negligible. */
const CHATS = 10;

/**
 * A turn that follows immediately finds warm caches, and unfinished work of the previous one; a later turn finds
 * neither.
 */
export const PACES = [
  { words: '', ms: 0, target: { at: 'most', value: 2.3 } },
  { words: ', 30 ms apart', ms: 30, target: { at: 'most', value: 1.9 } },
] as const;
type Pace = (typeof PACES)[number];

export async function paced(pace: Pace, turn: () => Promise<Timing>): Promise<Timing> {
  if (pace.ms > 0) await sleep(pace.ms);
  return turn();
}

export const firstDelta: Measure = {
  name: 'first-delta',
  async run(rig) {
    const homes = await newHomes(rig);
    const chats = await both(homes, chatsOf);
    return withKernels(homes, async kernels => {
      const rows: Row[][] = [];
      for (const turns of LENGTHS) {
        for (const pace of PACES) rows.push(await measure(rig, kernels, chats, turns, pace));
      }
      return rows.flat();
    });
  },
};

interface Sample extends Timing {
  /**
   * Milliseconds of processor time in the turn and in the pause before it. Work that the previous turn left counts in
   * place of the work that this one leaves.
   */
  processor: number;
}

/** Length → chats of that length. */
type Chats = Map<number, string[]>;

async function chatsOf(home: KernelHome): Promise<Chats> {
  const kernel = await home.start();
  const chats: Chats = new Map();
  for (const turns of LENGTHS) {
    chats.set(turns, await Promise.all(Array.from({ length: CHATS }, () => newChat(kernel.url))));
  }
  await kernel.stop();
  fillChats(
    home.data,
    [...chats].flatMap(([turns, ids]) => ids.map(id => ({ id, turns }))),
  );
  return chats;
}

async function measure(
  rig: Rig,
  kernels: Both<Program>,
  chats: Both<Chats>,
  turns: number,
  pace: Pace,
): Promise<Row[]> {
  const rounds = { warmup: rig.quick ? 5 : CHATS * 2, counted: rig.quick ? 20 : 100 };
  const { direct, proxy, durable } = completions(rig, MODEL, turns);
  const watched = async (program: Program, turn: () => Promise<Timing>): Promise<Sample> => {
    const before = processorMs(program.pid);
    const timing = await paced(pace, turn);
    return { ...timing, processor: processorMs(program.pid) - before };
  };
  const turnOf = (program: Program, long: Chats) => async (round: number) => {
    // A chat can have only one first turn, so the shortest history gets a new chat each time.
    const { url } = program;
    const chat = turns === SHORTEST ? await startedChat(url) : long.get(turns)![round % CHATS]!;
    return watched(program, () => kernelTurn(url, chat, MODEL));
  };
  const results = await interleave<Sample>(rounds, {
    direct: () => watched(rig.upstream, direct),
    proxy: () => watched(rig.proxy, proxy),
    durable: () => watched(rig.durable, durable),
    kernel: turnOf(kernels.kernel, chats.kernel),
    ...(kernels.other && { other: turnOf(kernels.other, chats.other!) }),
  });
  const first = medians(results, timing => timing.first);
  const after = `after ${turns} turn${turns > 1 ? 's' : ''}${pace.words}`;
  const row = { measure: `first delta ${after}`, unit: 'ms', ...first, ratio: toDurable(first) };
  const held: Row = { ...row, target: pace.target };
  if (turns !== SHORTEST) return [held];
  // The mean of all, because /proc counts in steps of 10 ms.
  const { direct: _, ...processor } = figures(
    results,
    list => list.reduce((sum, sample) => sum + sample.processor, 0) / list.length,
  );
  return [held, { measure: `processor time of a turn ${after}`, unit: 'ms', ...processor }];
}
