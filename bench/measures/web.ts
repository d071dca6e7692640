/**
 * Measures the web client next to a minimal page that only appends text, in the same browser (WEB-6). The column of
 * that page is `direct`.
 */
import { gzipSync } from 'node:zlib';
import { startChromium, type WatchedBrowser } from '../../test/browser/chromium.ts';
import { temporaryDirectory } from '../../test/harness/directory.ts';
import { startKernel, type TestKernel } from '../../test/harness/kernel.ts';
import { buildPage } from '../../test/web/open-page.ts';
import { fillChats } from '../history.ts';
import type { Measure } from '../rig.ts';
import type { Row } from '../table.ts';
import { type BarePage, startBarePage } from '../web/bare-page.ts';
import { type Frames, watchFrames } from '../web/watch-frames.ts';

const ITEMS = 10_000;
const WORD = 'token ';

export const web: Measure = {
  name: 'web',
  async run({ quick }) {
    buildPage();
    const [bare, browser] = await Promise.all([startBarePage(), startChromium()]);
    try {
      return [...(await longChat(browser)), ...(await streams(browser, bare, quick))];
    } finally {
      await browser.close();
      await bare.stop();
    }
  },
};

async function longChat(browser: WatchedBrowser): Promise<Row[]> {
  const { path, remove } = temporaryDirectory();
  let kernel = await startKernel({ dataDir: path });
  const { id } = await kernel.client.createChat({ title: 'Long' });
  await kernel.stop();
  fillChats(path, [{ id, turns: ITEMS / 2 }]);
  kernel = await startKernel({ dataDir: path });
  try {
    const html = await (await fetch(`${kernel.url}/`)).text();
    const scripts = [...html.matchAll(/"\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file);
    const sizes = await Promise.all(
      scripts.map(async file => gzipSync(await (await fetch(`${kernel.url}/${file}`)).bytes()).length),
    );
    const { page } = await browser.open();
    await page.goto(`${kernel.url}/settings`);
    const begun = performance.now();
    await page.goto(`${kernel.url}/chats/${id}`);
    await page.locator('article').last().waitFor();
    const ms = performance.now() - begun;
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    await page.context().close();
    return [
      {
        measure: 'JavaScript of the first view',
        unit: 'KB gz',
        kernel: sizes.reduce((sum, size) => sum + size, 0) / 1024,
        target: { at: 'most', value: 160 },
      },
      {
        measure: 'a chat of 10,000 items opens',
        unit: 'ms',
        kernel: ms,
        target: { at: 'most', value: 1000 },
      },
      { measure: 'elements of its page', unit: '', kernel: elements, target: { at: 'most', value: 3000 } },
    ];
  } finally {
    await kernel.stop();
    remove();
  }
}

async function streams(browser: WatchedBrowser, bare: BarePage, quick: boolean): Promise<Row[]> {
  const kernel = await startKernel({ settings: { server: { cors_origins: [bare.url] } } });
  try {
    const steady = { pieces: Array(quick ? 600 : 2000).fill(WORD), throttle: 1 };
    const long = {
      pieces: Array((quick ? 18_000 : 60_000) / 60).fill(`${WORD.repeat(9)}end.\n\n`),
      throttle: 8,
    };
    const [plain, own] = [await stream(browser, kernel, steady, bare), await stream(browser, kernel, steady)];
    const [plainLong, ownLong] = [
      await stream(browser, kernel, long, bare),
      await stream(browser, kernel, long),
    ];
    const most = (floor: number, share: number, base: number) => ({
      at: 'most' as const,
      value: Math.round(Math.max(floor, share * base)),
    });
    return [
      {
        measure: 'frames at 200 tokens/s, p95',
        unit: 'ms',
        direct: plain.p95,
        kernel: own.p95,
        target: { at: 'most', value: Math.round(Math.max(17, plain.p95 + 1)) },
      },
      {
        measure: 'long reply at 8x throttle, longest stall',
        unit: 'ms',
        direct: plainLong.longest,
        kernel: ownLong.longest,
        target: most(100, 1.5, plainLong.longest),
      },
      {
        measure: 'a key meanwhile, p95',
        unit: 'ms',
        direct: plainLong.key,
        kernel: ownLong.key,
        target: most(50, 1.5, plainLong.key),
      },
    ];
  } finally {
    await kernel.stop();
  }
}

interface Reply {
  pieces: string[];
  /** How many times slower the browser makes the processor. */
  throttle: number;
}

/** @param bare the page instead of the web client */
async function stream(
  browser: WatchedBrowser,
  kernel: TestKernel,
  { pieces, throttle }: Reply,
  bare?: BarePage,
): Promise<Frames> {
  const { client, upstream, url } = kernel;
  const { id } = await client.createChat({ title: 'Streams' });
  const { page } = await browser.open();
  await page.goto(bare ? `${bare.url}/#${encodeURIComponent(url)} ${id}` : `${url}/chats/${id}`);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.waitForTimeout(500);
  const hand = await page.context().newCDPSession(page);
  await hand.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  upstream.next({ steps: [{ text: pieces, delay_ms: 5 }] });
  const frames = await watchFrames(page, client.say(id, 'Go.'));
  await page.context().close();
  return frames;
}
