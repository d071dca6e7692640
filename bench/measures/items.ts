/** Measures a page of a hundred items at the end of a short and of a very long chat. */
import { call } from '../client.ts';
import { fillChats } from '../history.ts';
import { type KernelHome, newChat, newHomes, withKernels } from '../kernel.ts';
import { type Both, both, type Measure, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';
import { timed } from '../timed.ts';

interface Page {
  items: { id: string }[];
  next_before: string | null;
}

export const items: Measure = {
  name: 'items',
  async run(rig) {
    const short = await measure(rig, 1_000);
    const long = await measure(rig, rig.quick ? 100_000 : 1_000_000);
    return [...short, ...long];
  },
};

async function measure(rig: Rig, messages: number): Promise<Row[]> {
  const homes = await newHomes(rig);
  const chats = await both(homes, home => longChat(home, messages));
  const rows = await withKernels(homes, async kernels => {
    const newest: Both<string> = {
      kernel: itemsOf(kernels.kernel.url, chats.kernel),
      ...(kernels.other && { other: itemsOf(kernels.other.url, chats.other!) }),
    };
    const older = await both(newest, async url => {
      const page = await call<Page>('GET', url);
      if (page.items.length !== 100) throw new Error(`${url} answered ${page.items.length} items`);
      return `${url}&before=${page.next_before}`;
    });
    const of = `of ${messages.toLocaleString('en')} messages`;
    return [
      { measure: `newest 100 items ${of}`, unit: 'ms', ...(await timed(newest)) },
      { measure: `100 items before them ${of}`, unit: 'ms', ...(await timed(older)) },
    ];
  });
  await both(homes, home => home.remove());
  return rows;
}

const itemsOf = (url: string, chat: string): string => `${url}/v1/chats/${chat}/items?limit=100`;

async function longChat(home: KernelHome, messages: number): Promise<string> {
  const kernel = await home.start();
  const id = await newChat(kernel.url);
  await kernel.stop();
  fillChats(home.data, [{ id, turns: messages / 2 }]);
  return id;
}
