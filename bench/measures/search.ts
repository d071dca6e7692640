/** Measures a search for a prefix that half of all messages contain, as the first letters of a word usually are. */
import { call } from '../client.ts';
import { now } from '../clock.ts';
import { fillSearchable } from '../history.ts';
import { newChat, newHomes, withKernels } from '../kernel.ts';
import { type Both, both, interleave, type Measure, medians } from '../rig.ts';
import type { Figures, Row } from '../table.ts';

const SYLLABLES = 'con ta mi re lo sa ne pu ri ko da fe gu ha ji la mo no pe tu'.split(' ');
const WORDS_IN_A_MESSAGE = 12;
/** One and two letters have a separate index. */
const BEGINNINGS = ['c', 'co', 'con', 'conta'];
/** Writing this many messages takes minutes. */
const LARGE = 1_000_000;
const TARGET = { at: 'most', value: 100 } as const;

export const search: Measure = {
  name: 'search',
  async run(rig) {
    const messages = rig.large ? LARGE : rig.quick ? 10_000 : 100_000;
    const homes = await newHomes(rig);
    await both(homes, async home => {
      const kernel = await home.start();
      const chat = await newChat(kernel.url);
      await kernel.stop();
      fillSearchable(home.data, chat, texts(messages));
    });
    return withKernels(homes, async kernels => {
      const rows: Row[] = [];
      for (const beginning of BEGINNINGS) {
        const urls = await both(kernels, ({ url }) => `${url}/v1/search?q=${beginning}`);
        const found = await call<{ results: unknown[] }>('GET', urls.kernel);
        if (found.results.length === 0) throw new Error(`${urls.kernel} found nothing`);
        rows.push({
          measure: `search for ${beginning}... in ${messages.toLocaleString('en')} messages`,
          unit: 'ms',
          ...(await timed(urls)),
          ...(rig.large && { target: TARGET }),
        });
      }
      return rows;
    });
  },
};

/** Returns medians in milliseconds. @param urls one of each kernel */
async function timed({ kernel, other }: Both<string>): Promise<Figures> {
  const get = (url: string) => async () => {
    const begun = now();
    await call('GET', url);
    return now() - begun;
  };
  const results = await interleave(
    { warmup: 1, counted: 10 },
    { kernel: get(kernel), ...(other && { other: get(other) }) },
  );
  return medians(results, ms => ms);
}

/** Generates messages whose words have three syllables, from a vocabulary of eight thousand, the same in every run. */
function* texts(count: number): Generator<string> {
  let state = 1;
  const syllable = (): string => {
    // The generator of the C standard: its high bits are random enough, and it needs no package.
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return SYLLABLES[(state >>> 12) % SYLLABLES.length]!;
  };
  const word = (): string => syllable() + syllable() + syllable();
  for (let text = 0; text < count; text++) yield Array.from({ length: WORDS_IN_A_MESSAGE }, word).join(' ');
}
