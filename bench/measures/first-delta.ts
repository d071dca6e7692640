/**
 * Measures how long users wait for the first word, and the total cost of a small turn, by the length of the history.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timing } from '../client.ts';
import { syncRows } from '../disk.ts';
import { fillChats } from '../history.ts';
import { type KernelHome, kernelTurn, newChat, newHomes, startedChat, withKernels } from '../kernel.ts';
import type { Program } from '../process.ts';
import {
  addedToProxy,
  type Both,
  both,
  completions,
  interleave,
  type Measure,
  medians,
  type Rig,
} from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
const LENGTHS = [1, 100, 1000];
/** Each measured turn extends its chat; rotating through several chats makes that negligible. */
const CHATS = 10;

/**
 * A turn that follows immediately finds warm caches, and unfinished work of the previous one; a later turn finds
 * neither.
 */
export const PACES = [
  { words: '', ms: 0, target: { at: 'most', value: 2 } },
  { words: ', 30 ms apart', ms: 30, target: { at: 'most', value: 3 } },
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
      return [...rows.flat(), ...syncRows()];
    });
  },
};

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
  const rounds = { warmup: rig.quick ? 5 : CHATS * 2, counted: rig.quick ? 20 : turns === 1000 ? 60 : 100 };
  const { direct, proxy } = completions(rig, MODEL, turns);
  const turnOf =
    ({ url }: Program, long: Chats) =>
    async (round: number) => {
      // A chat can have only one first turn, so the shortest history gets a new chat each time.
      const chat = turns === 1 ? await startedChat(url) : long.get(turns)![round % CHATS]!;
      return paced(pace, () => kernelTurn(url, chat, MODEL));
    };
  const results = await interleave<Timing>(rounds, {
    direct: () => paced(pace, direct),
    proxy: () => paced(pace, proxy),
    kernel: turnOf(kernels.kernel, chats.kernel),
    ...(kernels.other && { other: turnOf(kernels.other, chats.other!) }),
  });
  const first = medians(results, timing => timing.first);
  const whole = medians(results, timing => timing.done);
  const after = `after ${turns} turn${turns > 1 ? 's' : ''}${pace.words}`;
  return [
    {
      measure: `first delta ${after}`,
      unit: 'ms',
      ...first,
      ratio: addedToProxy(first),
      target: pace.target,
    },
    { measure: `turn of 20 tokens ${after}`, unit: 'ms', ...whole, ratio: addedToProxy(whole) },
  ];
}
