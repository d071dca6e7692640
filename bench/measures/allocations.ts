/**
 * Measures what a turn and a token allocate on the JavaScript heap, from V8's own trace of its collections: the size
 * before each one, minus what the previous one left. Buffers are outside of that heap and are not counted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type KernelHome, kernelTurn, newChat, newHomes } from '../kernel.ts';
import { both, type Measure } from '../rig.ts';

const SHORT = 20;
const LONG = 500;
/** The turns rotate through these chats, so that none grows long. */
const CHATS = 20;

export const allocations: Measure = {
  name: 'allocations',
  async run(rig) {
    const homes = await newHomes(rig);
    // The steps are as large as a young generation, so many of them are needed.
    const turns = rig.quick ? 100 : 500;
    const measured = await both(homes, home => measure(home, turns));
    return [
      {
        measure: 'allocated for a turn, without its tokens',
        unit: 'kB',
        ...(await both(measured, ({ turn }) => turn)),
      },
      { measure: 'allocated for a token', unit: 'kB', ...(await both(measured, ({ token }) => token)) },
    ];
  },
};

async function measure(home: KernelHome, turns: number): Promise<{ turn: number; token: number }> {
  const heap = new Heap();
  const kernel = await home.start(['--trace-gc'], line => heap.heed(line));
  try {
    const perTurn = async (tokens: number): Promise<number> => {
      const chats = await Promise.all(Array.from({ length: CHATS }, () => newChat(kernel.url)));
      const run = async (count: number) => {
        for (let turn = 0; turn < count; turn++)
          await kernelTurn(kernel.url, chats[turn % CHATS]!, `tokens-${tokens}`);
        // Its last output is still in transit.
        await sleep(100);
      };
      await run(CHATS);
      const before = heap.allocatedKb;
      await run(turns);
      return (heap.allocatedKb - before) / turns;
    };
    const short = await perTurn(SHORT);
    const long = await perTurn(LONG);
    const token = (long - short) / (LONG - SHORT);
    return { turn: short - SHORT * token, token };
  } finally {
    await kernel.stop();
  }
}

/** Sums up the lines `[pid:isolate] ... ms: Scavenge 12.3 (15.0) -> 9.8 (16.0) MB`. */
class Heap {
  allocatedKb = 0;
  /** The remaining size of each isolate. Each thread has one. */
  readonly #left = new Map<string, number>();

  heed(line: string): void {
    const [, isolate, before, after] =
      /^\[\d+:(0x[0-9a-f]+)[^\]]*\].* ([\d.]+) \([\d.]+\) -> ([\d.]+) \([\d.]+\) MB/.exec(line) ?? [];
    if (!isolate) return;
    this.allocatedKb += (Number(before) - (this.#left.get(isolate) ?? 0)) * 1024;
    this.#left.set(isolate, Number(after));
  }
}
