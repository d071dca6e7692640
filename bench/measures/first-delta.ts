/** How long people wait for the first word, and what a whole small turn costs, by the length of the history. */
import type { Timing } from '../client.ts';
import { fillChats } from '../history.ts';
import { KernelHome, kernelTurn, newChat } from '../kernel.ts';
import { completions, interleave, type Measure, medians, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';

const MODEL = 'tokens-20';
/** A chat grows by each turn that is measured in it; several take turns so that it hardly shows. */
const CHATS = 10;
const ADDED_TIME_TARGET = { at: 'most', value: 2 } as const;

export const firstDelta: Measure = {
  name: 'first-delta',
  async run(rig) {
    const home = new KernelHome(rig.upstream.url);
    const lengths = [1, 100, 1000];
    const chats = await chatsOf(home, lengths);
    const kernel = await home.start();
    try {
      const rows: Row[][] = [];
      for (const turns of lengths) rows.push(await measure(rig, kernel.url, turns, chats.get(turns) ?? []));
      return rows.flat();
    } finally {
      await kernel.stop();
    }
  },
};

/** Length → chats that are as long. */
async function chatsOf(home: KernelHome, lengths: number[]): Promise<Map<number, string[]>> {
  const kernel = await home.start();
  const chats = new Map<number, string[]>();
  for (const turns of lengths) {
    chats.set(turns, await Promise.all(Array.from({ length: CHATS }, () => newChat(kernel.url))));
  }
  await kernel.stop();
  fillChats(
    home.data,
    [...chats].flatMap(([turns, ids]) => ids.map(id => ({ id, turns }))),
  );
  return chats;
}

async function measure(rig: Rig, url: string, turns: number, chats: string[]): Promise<Row[]> {
  const rounds = { warmup: CHATS * 2, counted: rig.quick ? 20 : turns === 1000 ? 60 : 100 };
  const results = await interleave<Timing>(rounds, {
    ...completions(rig, MODEL, turns),
    // After one turn a chat is no longer at its first: the shortest history gets a new chat each time.
    kernel: async round =>
      kernelTurn(url, turns === 1 ? await startedChat(url) : chats[round % CHATS]!, MODEL),
  });
  const first = medians(results, timing => timing.first);
  const whole = medians(results, timing => timing.done);
  const added = ({ direct, proxy, kernel }: typeof first) => (kernel - direct) / (proxy - direct);
  const after = `after ${turns} turn${turns > 1 ? 's' : ''}`;
  return [
    { measure: `first delta ${after}`, unit: 'ms', ...first, ratio: added(first), target: ADDED_TIME_TARGET },
    { measure: `turn of 20 tokens ${after}`, unit: 'ms', ...whole, ratio: added(whole) },
  ];
}

async function startedChat(url: string): Promise<string> {
  const chat = await newChat(url);
  await kernelTurn(url, chat, MODEL);
  return chat;
}
