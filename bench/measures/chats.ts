/** Measures a page of the list of chats, at its start and in its middle, with few and with many chats. */
import { call } from '../client.ts';
import { copyChat } from '../history.ts';
import { newChat, newHomes, withKernels } from '../kernel.ts';
import { both, type Measure, type Rig } from '../rig.ts';
import type { Row } from '../table.ts';
import { timed } from '../timed.ts';

interface Page {
  chats: { id: string }[];
}

export const chats: Measure = {
  name: 'chats',
  run: async rig => [...(await measure(rig, 100)), ...(await measure(rig, 10_000))],
};

async function measure(rig: Rig, count: number): Promise<Row[]> {
  const homes = await newHomes(rig);
  await both(homes, async home => {
    const kernel = await home.start();
    const chat = await newChat(kernel.url);
    await kernel.stop();
    copyChat(home.data, chat, count - 1);
  });
  return withKernels(homes, async kernels => {
    const newest = await both(kernels, ({ url }) => `${url}/v1/chats?limit=50`);
    const older = await both(newest, async url => {
      const page = await call<Page>('GET', url);
      if (page.chats.length !== 50) throw new Error(`${url} answered ${page.chats.length} chats`);
      return `${url}&before=${page.chats.at(-1)!.id}`;
    });
    const of = `of ${count.toLocaleString('en')}`;
    return [
      { measure: `newest 50 chats ${of}`, unit: 'ms', ...(await timed(newest)) },
      { measure: `50 chats before them ${of}`, unit: 'ms', ...(await timed(older)) },
    ];
  });
}
