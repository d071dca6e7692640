/** The reference in a real browser: it draws all there is and needs nothing but the kernel. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { noBrowser, startChromium, type WatchedBrowser, type WatchedPage } from './chromium.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let kernel: TestKernel;
  let browser: WatchedBrowser;
  let reference: WatchedPage;
  let named: string;
  beforeAll(async () => {
    const settings = { server: { allowed_hosts: ['kernel.home.arpa'] } };
    [kernel, browser] = await Promise.all([startKernel({ settings }), startChromium()]);
    named = kernel.url.replace('127.0.0.1', 'kernel.home.arpa');
    reference = await browser.open();
    await reference.page.goto(`${kernel.url}/apidocs`);
  });
  afterAll(async () => {
    await browser.close();
    await kernel.stop();
  });
  afterEach(() => expectContent(reference));

  /** The page has asked the kernel alone, and had nothing to complain about. */
  function expectContent({ requests, complaints }: WatchedPage): void {
    expect(foreign(requests)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(browser.departures.splice(0)).toEqual([]);
  }
  const foreign = (addresses: readonly string[]) =>
    addresses.filter(
      address => !/^(data|blob):/.test(address) && ![kernel.url, named].includes(new URL(address).origin),
    );
  const entry = (name: string, { page } = reference) => page.getByRole('link', { name }).first();

  test('a page that asks elsewhere, fails or is refused something is noticed', async () => {
    const { page, requests, complaints } = await browser.open();
    await page.route('http://careless.example/', route =>
      route.fulfill({
        contentType: 'text/html',
        headers: { 'content-security-policy': "script-src 'unsafe-inline'" },
        body: `<img src="http://elsewhere.test/a.png"><script>try { Function('') } catch {} missing()</script>`,
      }),
    );
    await page.goto('http://careless.example/');
    expect(foreign(requests)).toEqual(['http://careless.example/', 'http://elsewhere.test/a.png']);
    expect(complaints).toEqual(
      expect.arrayContaining([
        expect.stringContaining('refused by script-src: eval'),
        expect.stringContaining('missing is not defined'),
        expect.stringContaining('502'),
      ]),
    );
    expect(browser.departures.splice(0)).toEqual(['GET http://elsewhere.test/a.png']);
    await page.context().close();
  });

  test('[SVC-3] the reference lists every operation', async () => {
    await entry('Send a message: starts a turn and streams it').waitFor();
    const { body } = await kernel.api.get('/v1/openapi.json');
    const operations = Object.values<Record<string, { summary: string }>>(body.paths).flatMap(Object.values);
    expect(operations.length).toBeGreaterThan(15);
    for (const { summary } of operations) expect(await entry(summary).isVisible(), summary).toBe(true);
  });

  test('[SVC-3] an operation opens, with what it takes and what it answers', async () => {
    await entry('Send a message: starts a turn and streams it').click();
    const { page } = reference;
    const section = page.getByRole('region', { name: 'Send a message: starts a turn and streams it' });
    await section.getByText('idempotency-key', { exact: true }).waitFor();
    await section.getByText('Becomes the title of a chat that has none.').waitFor();
    await section.getByText('turn_running').first().waitFor();
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#tag/turns/POST/v1/chats/{id}/messages');
  });

  test('[SVC-3] the schema of the events is shown', async () => {
    const { page } = reference;
    await page.getByRole('link', { name: 'Event', exact: true }).click();
    const section = page.getByRole('region', { name: 'Event', exact: true });
    await section.getByText('TextDeltaEvent').waitFor();
    await section.getByText('Present on events of a replay: draw them, never execute them.').waitFor();
  });

  // Scalar would never send localhost (or .example) through a proxy, so this goes by a name as in a network.
  test('[SVC-3] a request tried on the page goes straight to the kernel', async () => {
    const chat = await kernel.api.newChat({ title: 'Seen from the page' });
    const watched = await browser.open();
    const { page, requests } = watched;
    await page.goto(`${named}/apidocs`);
    await entry('List chats, newest first', watched).click();
    await page.getByRole('button', { name: /Test Request.*\(get \/v1\/chats\)/ }).click();
    const before = requests.length;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send' }).first().click();
    await dialog.getByText(chat.id).first().waitFor();
    expect(requests.slice(before).map(address => address.split('?')[0])).toEqual([`${named}/v1/chats`]);
    expectContent(watched);
    await page.context().close();
  });

  test('[SVC-3] nothing on the page leads to a service of somebody else but the name of its maker', async () => {
    await entry('Create a chat').waitFor();
    const links = await reference.page.locator('a[href^="http"], a[href^="//"]').all();
    const addresses = await Promise.all(links.map(link => link.getAttribute('href')));
    expect(foreign(addresses as string[])).toEqual(['https://www.scalar.com']);
    const offers = reference.page.getByRole('button', { name: /\b(AI|agent|MCP|share|deploy|publish)\b/i });
    expect(await offers.allTextContents()).toEqual([]);
  });
});
