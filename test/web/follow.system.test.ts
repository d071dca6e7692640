/** The page follows a streaming reply to its end, and stops when the reader scrolls up. */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { held } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit } from './open-page.ts';

/** Long paragraphs are lower than the list estimates, so it corrects positions while they arrive. */
const PIECES = Array.from({ length: 15 }, (_, n) => [
  `Paragraph ${n}. `,
  ...Array.from({ length: 7 }, () => 'Some words that fill a line or two of the page. '.repeat(4)),
  '\n\n',
]).flat();

const SIZES = { desktop: [1440, 900], phone: [360, 740] } as const;

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  const web = sharedWeb();
  afterEach(async () => {
    expect(surprising(page)).toEqual([]);
  });

  /** Opens a chat on a screen of this size, on a device that is so many times slower than this machine. */
  const open = async ([width, height]: readonly [number, number], rate: number) => {
    const { id } = await web.kernel.client.createChat({ title: 'Long' });
    page = await web.visit();
    await page.page.setViewportSize({ width, height });
    const session = await page.page.context().newCDPSession(page.page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
    onTestFinished(() => session.detach());
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    await page.message.waitFor();
  };
  const fromEnd = () =>
    page.log.evaluate(log => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));
  const toEnd = () => page.button('Jump to latest');
  const drawn = () =>
    page.page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');

  for (const [name, size] of Object.entries(SIZES)) {
    test(`[WEB-7] keeps the end in view on a ${name} that is four times slower`, async () => {
      await open(size, 4);
      web.kernel.upstream.next({ steps: [{ text: [...PIECES, 'The end.'], delay_ms: 5 }] });
      await page.say('At length.');
      await page.log.getByText('The end.').waitFor();
      await page.idle();
      await drawn();
      expect(await fromEnd()).toBeLessThanOrEqual(1);
      expect(await toEnd().count()).toBe(0);
    });
  }

  /** Inputs that scroll up, each on the conversation. */
  const INPUTS: Record<string, () => Promise<void>> = {
    async wheel() {
      await page.log.hover();
      await page.page.mouse.wheel(0, -30);
    },
    async key() {
      await page.log.focus();
      await page.page.keyboard.press('PageUp');
    },
    async scrollbar() {
      const { x, y, width } = (await page.log.boundingBox())!;
      await page.page.mouse.move(x + width - 2, y + 20);
      await page.page.mouse.down();
      await page.page.mouse.up();
    },
    async finger() {
      const { x, y } = (await page.log.boundingBox())!;
      const session = await page.page.context().newCDPSession(page.page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + 200, y: y + 200 + by }],
        });
      await touch('touchStart', 0);
      for (const by of [20, 40, 80, 160]) await touch('touchMove', by);
      await touch('touchEnd', 160);
    },
  };

  test.each(Object.keys(INPUTS))('[WEB-7] stops following when the reader scrolls up by %s', async input => {
    await open(SIZES.desktop, 1);
    const middle = held({ text: PIECES });
    const end = held({ text: 'The end.' });
    web.kernel.upstream.next({
      steps: [{ text: PIECES }, ...middle.reply.steps!, ...end.reply.steps!],
    });
    await page.say('At length.');
    await page.log.getByText('Paragraph 14.').waitFor();
    await drawn();
    await INPUTS[input]!();
    await toEnd().waitFor();
    const top = () => page.log.evaluate(log => log.scrollTop);
    let before = Number.NaN;
    // A finger's throw and a smooth wheel scroll for a while.
    const isStill = async () => {
      const last = before;
      before = await top();
      return before === last;
    };
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    middle.go();
    await expect.poll(fromEnd).toBeGreaterThan(2000);
    expect(Math.abs((await top()) - before)).toBeLessThan(3);
    await toEnd().click();
    end.go();
    await page.log.getByText('The end.').waitFor();
    await page.idle();
    await drawn();
    expect(await fromEnd()).toBeLessThanOrEqual(1);
    expect(await toEnd().count()).toBe(0);
  });
});
