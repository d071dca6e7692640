/** Opens the built page of a real kernel in a real browser. Tests find elements by role and name. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { type Device, startChromium, type WatchedBrowser, type WatchedPage } from '../browser/chromium.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../harness/kernel.ts';

const BUILD = join(import.meta.dirname, '../../scripts/build-web.ts');

export interface Web {
  kernel: TestKernel;
  browser: WatchedBrowser;
  /** Opens the page on a new device. */
  visit(path?: string, device?: Device): Promise<Visit>;
  stop(): Promise<void>;
}

/** An open page with its main elements. */
export interface Visit extends WatchedPage {
  log: Locator;
  message: Locator;
  articles(kind?: string): Locator;
  button(name: string, within?: Locator | Page): Locator;
  say(text: string): Promise<void>;
  /** Picks an entry of a menu. */
  pick(opener: Locator, entry: string): Promise<void>;
  /** Resolves once no turn runs. */
  idle(): Promise<void>;
}

let isBuilt = false;

/** Builds the page if its sources have changed. Runs once per process. */
export function buildPage(): void {
  if (isBuilt) return;
  execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'inherit'] });
  isBuilt = true;
}

/** @param microphone a WAV file that the browser hears */
export async function startWeb({
  microphone,
  ...options
}: KernelOptions & { microphone?: string } = {}): Promise<Web> {
  buildPage();
  const [kernel, browser] = await Promise.all([
    startKernel(options),
    startChromium({ ...(microphone && { microphone }) }),
  ]);
  return {
    kernel,
    browser,
    visit: (path = '/', device) => visit(browser, kernel.url + path, device),
    async stop() {
      await browser.close();
      await kernel.stop();
    },
  };
}

/** @param address of the page, behind a proxy or not */
export async function visit(browser: WatchedBrowser, address: string, device?: Device): Promise<Visit> {
  const watched = await browser.open(device);
  const { page } = watched;
  await page.goto(address);
  const button = (name: string, within: Locator | Page = page) =>
    within.getByRole('button', { name, exact: true });
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  return {
    ...watched,
    log: page.getByRole('log', { name: 'Conversation' }),
    message,
    button,
    articles: kind => page.locator(kind ? `article[data-kind="${kind}"]` : 'article'),
    async say(text) {
      await message.fill(text);
      await button('Send').click();
    },
    async pick(opener, entry) {
      await opener.click();
      await page.getByRole('menuitem', { name: entry, exact: true }).click();
    },
    idle: () => button('Stop').waitFor({ state: 'detached' }),
  };
}

/** Returns browser errors except those of requests that were meant to fail. */
export const surprising = ({ complaints }: WatchedPage): string[] =>
  complaints.filter(complaint => !/Failed to load resource|net::ERR_/.test(complaint));

/** Returns a function that resolves when all requests except streams are complete and drawn. */
export function watchLoads(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let hasAll = Promise.withResolvers<void>();
  hasAll.resolve();
  page.on('request', request => {
    if (/\/(?:live|events)$/.test(new URL(request.url()).pathname)) return;
    if (open.size === 0) hasAll = Promise.withResolvers();
    open.add(request);
  });
  const over = (request: Request) => {
    if (open.delete(request) && open.size === 0) hasAll.resolve();
  };
  page.on('requestfinished', over);
  page.on('requestfailed', over);
  return async () => {
    await hasAll.promise;
    await page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  };
}
