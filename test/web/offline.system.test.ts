/** Opening the page while the kernel is unreachable. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../apps/web/src/nav/pages.ts';
import { noBrowser, startChromium, type WatchedBrowser } from '../browser/chromium.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PATIENT } from '../harness/patient.ts';
import { says } from '../harness/story.ts';
import { missing, nginx, TOKEN } from '../proxy/proxies.ts';
import { buildPage, visit } from './open-page.ts';

/** Runs in the page: the paths of everything that the service worker has cached. */
const KEPT =
  'caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys())))).then(all => all.flat().map(({ url }) => new URL(url).pathname))';

/** Resolves once the service worker has cached the page, which is the last that it caches. */
const installed = (page: Page) =>
  expect.poll(async () => (await page.evaluate(KEPT)) as string[], PATIENT).toContain('/');

describe.skipIf(noBrowser)('in Chromium', () => {
  let kernel: TestKernel;
  let browser: WatchedBrowser;
  let id: string;
  beforeAll(async () => {
    buildPage();
    [kernel, browser] = await Promise.all([startKernel(), startChromium()]);
    ({ id } = await kernel.client.createChat({ title: 'Kept by the kernel' }));
    kernel.upstream.next(says('Here I am.'));
    await kernel.client.say(id, 'Who is there?');
  });
  afterAll(() => browser?.close());

  test.skipIf(missing('nginx'))(
    '[WEB-14] [WEB-15] shows the page where a proxy answers for it: without the kernel, and at an unknown address',
    PATIENT,
    async () => {
      const other = await startKernel();
      const proxy = await nginx.start(other.url);
      const { page } = await visit(browser, `${proxy.url}/`);
      await page.getByRole('textbox', { name: 'Access token' }).fill(TOKEN);
      await page.getByRole('checkbox', { name: 'Keep on this device' }).check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await installed(page);
      // A navigation sends no token, so the proxy refuses all addresses that it does not know.
      await page.goto(`${proxy.url}/nowhere/at/all`);
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
      await page.goto(`${proxy.url}/v1/chats`);
      await page.getByText('The header X-Service-Token is missing or wrong.').waitFor();
      await other.stop();
      await page.goto(`${proxy.url}/settings`);
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.getByText('This device does not store the content of this page.').waitFor();
      await page.context().close();
      await proxy.stop();
    },
  );

  test('[WEB-14] opens each page after one visit without a network, and says so', PATIENT, async () => {
    const { page } = await visit(browser, `${kernel.url}/`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await installed(page);
    await kernel.stop();
    const opens = async (path: string, heading: string) => {
      await page.goto(kernel.url + path);
      await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
    };
    const tells = (text: string) => page.getByRole('main').getByText(text).waitFor();
    for (const { path, name } of PAGES) await opens(path, name);
    // All pages share this notice.
    await tells('This device does not store the content of this page.');
    await opens('/', 'New chat');
    await tells('Offline. You can send messages when the connection');
    await opens(`/chats/${id}`, 'Chat');
    await tells('This device does not store the content of chats.');
  });
});
