/** Pages that stay in step with the kernel and with each other: reloads, other devices, tabs that nobody sees. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { held, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web?.stop());

  const textsOf = (page: Visit) =>
    page.articles().evaluateAll(all => all.map(each => each.querySelector('.words, .prose')?.textContent));

  test('[WEB-4] two devices show the same turn as it comes, and a reload in mid-turn shows it again', async () => {
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

  /** As the browser does when another tab is put in front, and back. Headless, all of its pages are shown. */
  const hide = (page: Visit, hidden: boolean) =>
    page.page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);

  test('[WEB-4] a tab that nobody has seen for half a minute holds no stream, and opens none', async () => {
    const chat = await web.kernel.client.createChat({ title: 'Forgotten' });
    const page = await web.visit();
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
    await page.log.getByText('A whole answer.').waitFor({ timeout: 1000 });
    await expect.poll(() => page.requests.filter(isStream).length).toBe(before + 2);
  });

  test('[WEB-4] a tab that was hidden holds no stream, and shows all within a second of being shown', async () => {
    const chat = await web.kernel.client.createChat({ title: 'Hidden' });
    const page = await web.visit(`/chats/${chat.id}`);
    await page.message.waitFor();
    const letGo = page.page.waitForEvent('requestfailed', request => request.url().includes('/live'));
    await hide(page, true);
    // Another tab is shown: this one lets its lines go at once.
    await page.page.evaluate("new BroadcastChannel('chat-kernel:shown').postMessage('shown')");
    await letGo;
    web.kernel.upstream.next(says('While nobody looked.'));
    await web.kernel.client.say(chat.id, 'Go on.');
    expect(await page.log.getByText('While nobody looked.').count()).toBe(0);
    await hide(page, false);
    await page.log.getByText('While nobody looked.').waitFor({ timeout: 1000 });
  });

  test('[WEB-4] a long answer is many rows of which few are mounted, and an older page in front shifts nothing', async () => {
    const { client, upstream } = web.kernel;
    const chat = await client.createChat({ title: 'Long' });
    for (let index = 0; index < 70; index++) {
      upstream.next(says(`Answer ${index}. ${'Some words that fill a line or two. '.repeat(index % 7)}`));
      await client.say(chat.id, `Question ${index}.`);
    }
    upstream.next(
      says(
        Array.from({ length: 300 }, (_, index) => `Paragraph ${index} ${'word '.repeat(30)}`).join('\n\n'),
      ),
    );
    await client.say(chat.id, 'At length.');
    const page = await web.visit(`/chats/${chat.id}`);
    await page.log.getByText('Paragraph 299').waitFor();
    expect(await page.page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(3000);
    // Up to where the next page is read, and beyond: what is in sight stays where it is.
    for (let turn = 0; turn < 200; turn++) {
      await page.log.evaluate(log => log.scrollBy(0, -900));
      await page.page.waitForTimeout(30);
      if ((await page.log.getByText('Question 30.', { exact: true }).count()) > 0) break;
    }
    const seen = page.log.getByText('Question 30.', { exact: true });
    const before = (await seen.boundingBox())?.y;
    await page.page.waitForTimeout(500);
    expect(Math.abs(((await seen.boundingBox())?.y ?? 0) - (before ?? 0))).toBeLessThan(3);
  });
});
