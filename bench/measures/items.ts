/** A page of a hundred items at the end of a short and of a very long chat. */
import { call } from '../client.ts';
import { fillChats } from '../history.ts';
import { KernelHome, newChat } from '../kernel.ts';
import { type Measure, median } from '../rig.ts';
import type { Row } from '../table.ts';

interface Page {
  items: { id: string }[];
  next_before: string | null;
}

export const items: Measure = {
  name: 'items',
  async run({ upstream, quick }) {
    const short = await measure(upstream.url, 1_000);
    const long = await measure(upstream.url, quick ? 100_000 : 1_000_000);
    return [...short, ...long];
  },
};

async function measure(upstream: string, messages: number): Promise<Row[]> {
  const home = new KernelHome(upstream);
  let kernel = await home.start();
  const id = await newChat(kernel.url);
  await kernel.stop();
  fillChats(home.data, [{ id, turns: messages / 2 }]);
  kernel = await home.start();
  try {
    const newest = await pages(`${kernel.url}/v1/chats/${id}/items?limit=100`);
    const older = await pages(
      `${kernel.url}/v1/chats/${id}/items?limit=100&before=${newest.page.next_before}`,
    );
    const of = `of ${messages.toLocaleString('en')} messages`;
    return [
      { measure: `newest 100 items ${of}`, unit: 'ms', kernel: newest.ms },
      { measure: `100 items before them ${of}`, unit: 'ms', kernel: older.ms },
    ];
  } finally {
    await kernel.stop();
    home.remove();
  }
}

async function pages(url: string): Promise<{ ms: number; page: Page }> {
  const times: number[] = [];
  let page = await call<Page>('GET', url);
  for (let round = 0; round < 50; round++) {
    const begun = performance.now();
    page = await call<Page>('GET', url);
    times.push(performance.now() - begun);
  }
  if (page.items.length !== 100) throw new Error(`${url} answered ${page.items.length} items`);
  return { ms: median(times), page };
}
