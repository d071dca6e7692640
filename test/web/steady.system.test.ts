/** Pages stay in sync with the kernel and each other: reloads, other devices and hidden tabs. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { type Said, seed, seedChat } from '../harness/seed.ts';
import { held, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  const directory = temporaryDirectory();
  let web: Web;
  let long: string;
  beforeAll(async () => {
    const turns = Array.from({ length: 70 }, (_, index): Said[] => [
      ['user', `Question ${index}.`],
      ['assistant', `Answer ${index}. ${'Some words that fill a line or two. '.repeat(index % 7)}`],
    ]);
    const paragraphs = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} ${'word '.repeat(30)}`);
    const said: Said[] = [...turns.flat(), ['user', 'At length.'], ['assistant', paragraphs.join('\n\n')]];
    ({ chat: long } = await seed(directory.path, store => seedChat(store, said)));
    web = await startWeb({ dataDir: directory.path });
  });
  afterAll(async () => {
    await web?.stop();
    directory.remove();
  });

  const textsOf = (page: Visit) =>
    page.articles().evaluateAll(all => all.map(each => each.querySelector('.words, .prose')?.textContent));

  test('[WEB-4] shows a running turn on two devices, and again after a reload', async () => {
    const chat = await web.kernel.client.createChat({ title: 'Two' });
    const one = await web.visit(`/chats/${chat.id}`);
    const two = await web.visit(`/chats/${chat.id}`);
    const gate = held({ text: ' And an end.' });
    web.kernel.upstream.next({ steps: [{ text: 'A beginning.' }, ...(gate.reply.steps ?? [])] });
    await one.say('Tell.');
    await two.log.getByText('A beginning.').waitFor();
    await two.page.reload();
    await two.log.getByText('A beginning.').waitFor();
    await two.button('Stop').waitFor();
    gate.go();
    for (const page of [one, two]) {
      await page.log.getByText('A beginning. And an end.').waitFor();
      await page.idle();
      expect(await textsOf(page)).toEqual(['Tell.', 'A beginning. And an end.']);
      expect(surprising(page)).toEqual([]);
    }
  });

  /** Simulates a tab change, because a headless browser shows all of its pages. */
  const hide = (page: Visit, hidden: boolean) =>
    page.page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);

  test('[WEB-4] closes the streams of a tab after 30 seconds in the background, and opens none', async () => {
    const chat = await web.kernel.client.createChat({ title: 'Forgotten' });
    const page = await web.visit();
    onTestFinished(() => page.page.context().close());
    await page.page.clock.install();
    await page.page.goto(`${web.kernel.url}/chats/${chat.id}`);
    await page.message.waitFor();
    const isStream = (address: string) => /\/(?:live|events)(?:\?|$)/.test(new URL(address).pathname);
    const gone: string[] = [];
    page.page.on('requestfailed', request => isStream(request.url()) && gone.push(request.url()));
    await expect.poll(() => page.requests.filter(isStream).length).toBeGreaterThanOrEqual(2);
    await hide(page, true);
    await page.page.clock.runFor(29_000);
    expect(gone).toEqual([]);
    await page.page.clock.runFor(1000);
    await expect.poll(() => gone.length).toBe(2);
    const before = page.requests.filter(isStream).length;
    await page.page.clock.runFor(120_000);
    expect(page.requests.filter(isStream).length).toBe(before);
    web.kernel.upstream.next(says('A whole answer.'));
    await web.kernel.client.say(chat.id, 'Are you there?');
    await hide(page, false);
    await page.log.getByText('A whole answer.').waitFor();
    await expect.poll(() => page.requests.filter(isStream).length).toBe(before + 2);
  });

  test('[WEB-4] closes the streams of a hidden tab, and catches up within a second of being shown', async () => {
    const chat = await web.kernel.client.createChat({ title: 'Hidden' });
    web.kernel.upstream.next(says('Before.'));
    await web.kernel.client.say(chat.id, 'Hello.');
    const page = await web.visit(`/chats/${chat.id}`);
    // Otherwise, a request for the history that is still open would return the later messages.
    await page.log.getByText('Before.').waitFor();
    const letGo = page.page.waitForEvent('requestfailed', request => request.url().includes('/live'));
    await hide(page, true);
    // Another tab is shown, so this one closes its streams at once.
    await page.page.evaluate("new BroadcastChannel('chat-kernel:shown').postMessage('shown')");
    await letGo;
    web.kernel.upstream.next(says('While nobody looked.'));
    await web.kernel.client.say(chat.id, 'Go on.');
    expect(await page.log.getByText('While nobody looked.').count()).toBe(0);
    await hide(page, false);
    await page.log.getByText('While nobody looked.').waitFor({ timeout: 1000 });
  });

  test('[WEB-4] renders few rows of a long response, and stays in place when older messages load', async () => {
    const page = await web.visit(`/chats/${long}`);
    await page.log.getByText('Paragraph 299').waitFor();
    expect(await page.page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(3000);
    // Hold the older messages until the visible rows have been measured, so that only they can move them.
    const older = Promise.withResolvers<void>();
    await page.page.route(/\/items\?.*before=/, async route => {
      await older.promise;
      await route.continue();
    });
    const seen = page.log.getByText('Question 48.', { exact: true });
    const up = async () => {
      await page.log.evaluate(log => log.scrollBy(0, -900));
      return seen.count();
    };
    await expect.poll(up, { interval: 10 }).toBe(1);
    const placeOf = async () => (await seen.boundingBox())?.y ?? Number.NaN;
    let before = Number.NaN;
    const isStill = async () => {
      const last = before;
      before = await placeOf();
      return before === last;
    };
    await expect.poll(isStill, { interval: 50 }).toBe(true);
    const loading = page.log.getByText('Loading older messages…');
    await loading.waitFor({ state: 'attached' });
    older.resolve();
    await loading.waitFor({ state: 'detached' });
    await page.page.evaluate(
      'new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
    expect(Math.abs((await placeOf()) - before)).toBeLessThan(3);
  });
});
