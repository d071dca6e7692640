/** The page says what a turn does or waits for, and shows the connection and requests of other chats at every width. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startCutProxy } from '../harness/cut-proxy.ts';
import { PATIENT } from '../harness/patient.ts';
import { calls, held, says, stuck } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit, visit } from './open-page.ts';

/** Without or with the seconds that have passed. */
const WORKING = /^Working(\d+ s)?$/;
const QUESTION = { questions: [{ question: 'Which color?', options: [{ label: 'Red' }] }] };

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  /** Requests to the provider before the test. */
  let asked: number;
  const web = sharedWeb();
  beforeEach(async () => {
    asked = web.kernel.upstream.requests.length;
    page = await web.visit();
  });
  afterEach(async () => {
    expect(surprising(page)).toEqual([]);
  });

  const status = () => page.page.getByRole('status', { name: 'Chat status', exact: true });
  const shows = (text: string | RegExp) => status().filter({ hasText: text }).waitFor();
  /** Stops the turn once the provider has these requests, so that no scripted reply is left for the next test. */
  const stopped = async (requests = 1) => {
    await expect.poll(() => web.kernel.upstream.requests.length).toBeGreaterThanOrEqual(asked + requests);
    await page.button('Stop').click();
    await page.idle();
    await status().waitFor({ state: 'detached' });
  };
  const newChat = async () => {
    const { id } = await web.kernel.client.createChat({ title: 'Tea' });
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    return id;
  };

  /** Holds the creation of chats until the returned function is called. */
  const holdChats = async () => {
    const gate = Promise.withResolvers<void>();
    await page.page.route('**/v1/chats', async route => {
      await gate.promise;
      await route.continue();
    });
    return gate.resolve;
  };

  test('[WEB-8] shows Working and Stop from Send on in a new chat, and after a reload', async () => {
    web.kernel.upstream.next(stuck());
    const go = await holdChats();
    await page.say('Take your time.');
    await shows(/^Working/);
    await page.button('Stop').waitFor();
    go();
    await page.articles('user_message').filter({ hasText: 'Take your time.' }).waitFor();
    await expect.poll(() => page.page.url()).toContain('/chats/');
    await shows(/^Working/);
    await page.page.reload();
    await shows(/^Working/);
    await stopped();
  });

  /** Lets the kernel sleep until the end of the test. */
  const fallAsleep = async () => {
    await web.kernel.client.sleep({ until: '2036-05-04T07:00:00.000Z' });
    onTestFinished(async () => void (await web.kernel.client.wake()));
  };

  test('[WEB-8] stops a first message that is being sent, and gives it back', async () => {
    await fallAsleep();
    const go = await holdChats();
    await page.say('Never mind.');
    await page.button('Stop').click();
    go();
    await expect.poll(() => page.page.url()).toContain('/chats/');
    await expect.poll(() => page.message.inputValue()).toBe('Never mind.');
    await page.idle();
    await status().waitFor({ state: 'detached' });
  });

  test('[WEB-8] shows the record of the chat before the stream is open', async () => {
    const id = await newChat();
    web.kernel.upstream.next(stuck());
    await web.kernel.client.begin(id, { text: 'Go.' });
    await page.page.route('**/live?**', () => {});
    await page.page.reload();
    await shows(/^Working/);
    await stopped();
  });

  test('[WEB-8] counts down to the next attempt of a provider', async () => {
    await newChat();
    web.kernel.upstream.next({ error: 'rate_limited', headers: { 'retry-after': '20' } });
    await page.say('Go.');
    await shows(/^Waiting for the provider \(retry in (1\d|20) s\)rate limit, attempt 1 of 3$/);
    await page.page.reload();
    await shows(/^Waiting for the provider \(retry in \d+ s\)/);
    await stopped();
  });

  test('[WEB-8] shows the position of a queued message, and Working once its turn begins', async () => {
    await newChat();
    const first = held({ text: 'One.' });
    web.kernel.upstream.next(first.reply, stuck());
    await page.say('First.');
    await shows(WORKING);
    await page.say('Second.');
    await shows(/^Working.*Queued \(2nd\)$/);
    first.go();
    await page.log.getByText('One.').waitFor();
    await shows(WORKING);
    await stopped(2);
  });

  test('[WEB-8] shows that a turn sleeps, and gives its message back on Stop', async () => {
    await newChat();
    await fallAsleep();
    await page.say('Good night.');
    await shows(/^Sleeping until .*2036/);
    await stopped(0);
    await expect.poll(() => page.message.inputValue()).toBe('Good night.');
  });

  test('[WEB-8] gives a message back on Stop that is stored and not on the screen yet', async () => {
    await newChat();
    await fallAsleep();
    const gate = Promise.withResolvers<void>();
    await page.page.route('**/items?*', async route => {
      await gate.promise;
      await route.continue();
    });
    await page.say('Good night.');
    await shows(/^Sleeping until .*2036/);
    await page.button('Stop').click();
    gate.resolve();
    await expect.poll(() => page.message.inputValue()).toBe('Good night.');
    await page.idle();
  });

  test('[WEB-8] shows that a turn waits for an answer', async () => {
    await newChat();
    web.kernel.upstream.next(calls('q', 'ask_questions', QUESTION), says('Red it is.'));
    await page.say('Paint it.');
    await shows('Waiting for your answer');
    await page.page.reload();
    await shows('Waiting for your answer');
    await page.page.getByRole('radio', { name: 'Red' }).check();
    await page.button('Answer').click();
    await page.log.getByText('Red it is.').waitFor();
    await status().waitFor({ state: 'detached' });
  });

  test(
    '[WEB-8] [WEB-10] shows on a phone that the kernel is unreachable, and counts no time then',
    PATIENT,
    async () => {
      const proxy = await startCutProxy(web.kernel.url);
      onTestFinished(proxy.close);
      await page.page.context().close();
      page = await visit(web.browser, proxy.url);
      await page.page.setViewportSize({ width: 360, height: 740 });
      const gate = held({ text: 'Here I am.' });
      web.kernel.upstream.next(gate.reply);
      await page.say('Go.');
      await shows(/^Working/);
      // That shows from Send on, even before the kernel has the message.
      await expect.poll(() => web.kernel.upstream.requests.length).toBe(asked + 1);
      proxy.cut();
      await shows(/^Reconnecting$/);
      const bar = page.page.getByRole('status', { name: 'Connection', exact: true });
      await bar.getByText('Connection lost. Reconnecting…').waitFor();
      proxy.restore();
      await shows(/^Working/);
      await bar.waitFor({ state: 'detached' });
      gate.go();
      await page.log.getByText('Here I am.').waitFor();
      await page.idle();
    },
  );

  test('[WEB-10] links to a chat that waits for the user at every width, and counts its request', async () => {
    onTestFinished(() => page.page.context().close());
    await page.page.addInitScript(`
      globalThis.badges = [];
      navigator.setAppBadge = async count => void badges.push(count);`);
    const { client, upstream } = web.kernel;
    const other = await client.createChat({ title: 'Paint' });
    await newChat();
    upstream.next(calls('q', 'ask_questions', QUESTION), says('Red it is.'));
    const turn = await client.begin(other.id, { text: 'Paint it.', questions: true });
    const bar = page.page.getByRole('status', { name: 'Waiting requests', exact: true });
    const link = bar.getByRole('link', { name: 'Paint', exact: true });
    for (const width of [1440, 820, 360]) {
      await page.page.setViewportSize({ width, height: 740 });
      await link.waitFor();
      expect((await link.boundingBox())!.x).toBeGreaterThan(0);
    }
    await expect.poll(() => page.page.title()).toBe('(1) Tea · Chat Kernel');
    await expect.poll(() => page.page.evaluate('badges.at(-1)')).toBe(1);
    const menu = page.button('Menu');
    expect(await menu.getAttribute('aria-description')).toBe('1 waiting request');
    expect(await menu.locator('.count').getAttribute('data-count')).toBe('1');
    await page.page.goto(`${web.kernel.url}/settings`);
    await expect.poll(() => page.page.title()).toBe('(1) Settings · Chat Kernel');
    await link.click();
    await page.page.getByRole('radio', { name: 'Red' }).check();
    await bar.waitFor({ state: 'detached' });
    await page.button('Answer').click();
    await turn.all();
    await expect.poll(() => page.page.title()).toBe('Paint · Chat Kernel');
    await expect.poll(() => page.page.evaluate('badges.at(-1)')).toBe(0);
  });
});
