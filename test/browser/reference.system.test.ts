/** Tests the API reference in a real browser: it shows everything and needs only the kernel. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PATIENT } from '../harness/patient.ts';
import { noBrowser, startChromium, type WatchedBrowser, type WatchedPage } from './chromium.ts';

// Rendering the page takes a browser 2.5 s of processor time: five times that next to the other files of a run.
describe.skipIf(noBrowser)('in Chromium', { timeout: PATIENT.timeout }, () => {
  let kernel: TestKernel;
  let browser: WatchedBrowser;
  let reference: WatchedPage;
  let named: string;
  beforeAll(async () => {
    const settings = { server: { allowed_hosts: ['kernel.home.arpa'] } };
    [kernel, browser] = await Promise.all([startKernel({ settings }), startChromium()]);
    named = kernel.url.replace('127.0.0.1', 'kernel.home.arpa');
    reference = await open();
    // Scalar never sends localhost (or .example) through a proxy, so this uses a name as in a network.
    await reference.page.goto(`${named}/apidocs`);
  }, PATIENT.timeout);
  afterAll(async () => {
    await browser.close();
    await kernel.stop();
  });
  afterEach(() => expectContent(reference));

  async function open(): Promise<WatchedPage> {
    const watched = await browser.open();
    watched.page.setDefaultTimeout(PATIENT.timeout / 3);
    return watched;
  }

  /** Checks that the page sent requests only to the kernel, and logged no errors. */
  function expectContent({ requests, complaints }: WatchedPage): void {
    expect(foreign(requests)).toEqual([]);
    // Browsers ignore this header over plain HTTP from other machines, and say so.
    expect(complaints.filter(each => !each.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
    expect(browser.departures.splice(0)).toEqual([]);
  }
  const foreign = (addresses: readonly string[]) =>
    addresses.filter(
      address => !/^(data|blob):/.test(address) && ![kernel.url, named].includes(new URL(address).origin),
    );
  const entry = (name: string) => reference.page.getByRole('link', { name }).first();

  test('reports foreign requests, script errors and policy violations of a page', async () => {
    const { page, requests, complaints } = await open();
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

  test('[SVC-3] lists every operation', async () => {
    await entry('Send a message and stream its turn').waitFor();
    const { body } = await kernel.api.get('/v1/openapi.json');
    const operations = Object.values<Record<string, { summary: string }>>(body.paths).flatMap(Object.values);
    expect(operations.length).toBeGreaterThan(15);
    // All at once: each query for a role takes a while in such a long page.
    const shown = await reference.page.getByRole('link').allInnerTexts();
    const missing = operations.filter(({ summary }) => !shown.some(text => text.includes(summary)));
    expect(missing.map(({ summary }) => summary)).toEqual([]);
  });

  test('[SVC-3] opens an operation with its input and output', async () => {
    await entry('Send a message and stream its turn').click();
    const { page } = reference;
    const section = page.getByRole('region', { name: 'Send a message and stream its turn' });
    await section.getByText('idempotency-key', { exact: true }).waitFor();
    await section.getByText('The title for a chat without one.').waitFor();
    await section.getByText('turn_running').first().waitFor();
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#tag/turns/POST/v1/chats/{id}/messages');
  });

  test('[SVC-3] shows the schema of the events', async () => {
    const { page } = reference;
    await page.getByRole('link', { name: 'Event', exact: true }).click();
    const section = page.getByRole('region', { name: 'Event', exact: true });
    await section.getByText('TextDeltaEvent').waitFor();
    await section.getByText('Present on replayed events: display them, never execute them.').waitFor();
  });

  test('[SVC-3] links to no service except the maker of the page, and sends a request tried on it straight to the kernel', async () => {
    await entry('Create a chat').waitFor();
    const links = await reference.page.locator('a[href^="http"], a[href^="//"]').all();
    const addresses = await Promise.all(links.map(link => link.getAttribute('href')));
    expect(foreign(addresses as string[])).toEqual(['https://www.scalar.com']);
    const offers = reference.page.getByRole('button', { name: /\b(AI|agent|MCP|share|deploy|publish)\b/i });
    expect(await offers.allTextContents()).toEqual([]);
    const chat = await kernel.api.newChat({ title: 'Seen from the page' });
    const { page, requests } = reference;
    await entry('List chats, newest first').click();
    await page.getByRole('button', { name: /Test Request.*\(get \/v1\/chats\)/ }).click();
    const before = requests.length;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send' }).first().click();
    await dialog.getByText(chat.id).first().waitFor();
    expect(requests.slice(before).map(address => address.split('?')[0])).toEqual([`${named}/v1/chats`]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
