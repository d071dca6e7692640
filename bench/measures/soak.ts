/** Measures the memory of a kernel after thousands of turns, which shows whether it retains something of each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { kernelTurn, newChat, newHomes, withKernels } from '../kernel.ts';
import { type Program, residentMb } from '../process.ts';
import { both, type Measure } from '../rig.ts';

const MODEL = 'tokens-20';
const CHATS = 40;
const TURNS = 5000;
/** Number of concurrent chats. */
const SIDE_BY_SIDE = 4;
const IDLE_MS = 3000;

export const soak: Measure = {
  name: 'soak',
  async run(rig) {
    if (!rig.large) {
      console.error('soak is left out without --large');
      return [];
    }
    const turns = rig.quick ? TURNS / 10 : TURNS;
    return withKernels(await newHomes(rig), async kernels => {
      await both(kernels, kernel => run(kernel, turns));
      await sleep(IDLE_MS);
      const memory = await both(kernels, ({ pid }) => residentMb(pid, 'now'));
      return [
        {
          measure: `memory after ${turns} turns in ${CHATS} chats`,
          unit: 'MB',
          ...memory,
          target: { at: 'most', value: 250 },
        },
      ];
    });
  },
};

async function run({ url }: Program, turns: number): Promise<void> {
  const chats = await Promise.all(Array.from({ length: CHATS }, () => newChat(url)));
  const lane = async (first: number): Promise<void> => {
    for (let turn = first; turn < turns; turn += SIDE_BY_SIDE) {
      await kernelTurn(url, chats[turn % CHATS]!, MODEL);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, first) => lane(first)));
}
