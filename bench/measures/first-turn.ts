/**
 * Measures the first turn after a start next to later ones: users wait for everything that a new process still has to
 * load.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Timing } from '../client.ts';
import { type KernelHome, kernelTurn, newHomes, startedChat } from '../kernel.ts';
import { type Both, both, interleave, type Measure, median, medians } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
const STARTS = 7;
/** Only the last of these turns count as later ones. */
const TURNS = 20;
const LATER = 10;
const A_WHILE_MS = 1000;

export const firstTurn: Measure = {
  name: 'first-turn',
  async run(rig) {
    const homes = await newHomes(rig);
    const chats = await both(homes, async home => {
      const kernel = await home.start();
      const chat = await startedChat(kernel.url);
      await kernel.stop();
      return chat;
    });
    const starts = rig.quick ? 3 : STARTS;
    return [
      ...(await measure(homes, chats, starts, 0, 'the first turn after a start')),
      ...(await measure(homes, chats, starts, A_WHILE_MS, 'the first turn, 1 s after a start')),
    ];
  },
};

interface Sample {
  first: number;
  later: number;
}

async function measure(
  homes: Both<KernelHome>,
  chats: Both<string>,
  starts: number,
  wait: number,
  name: string,
): Promise<Row[]> {
  const { kernel, other } = homes;
  const results = await interleave<Sample>(
    { warmup: 0, counted: starts },
    {
      kernel: () => sample(kernel, chats.kernel, wait),
      ...(other && { other: () => sample(other, chats.other!, wait) }),
    },
  );
  const first = medians(results, ({ first }) => first);
  const later = medians(results, ({ later }) => later);
  const ratio = first.kernel / later.kernel;
  return [
    { measure: `first delta of ${name}`, unit: 'ms', ...first, ratio, target: { at: 'most', value: 2 } },
    { measure: 'first delta of later turns of it', unit: 'ms', ...later },
  ];
}

/** Measures a new process. */
async function sample(home: KernelHome, chat: string, wait: number): Promise<Sample> {
  const kernel = await home.start();
  try {
    // Clients do this, too; it also opens the connection that all turns use.
    await call('GET', `${kernel.url}/healthz`);
    await sleep(wait);
    const turns: Timing[] = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push(await kernelTurn(kernel.url, chat, MODEL));
    return { first: turns[0]!.first, later: median(turns.slice(-LATER).map(({ first }) => first)) };
  } finally {
    await kernel.stop();
  }
}
