/** The built page of the real kernel in a real browser, found by roles and names as its users find it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startChromium, type WatchedBrowser, type WatchedPage } from '../browser/chromium.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../harness/kernel.ts';

const BUILD = join(import.meta.dirname, '../../scripts/build-web.ts');

export interface Web {
  kernel: TestKernel;
  browser: WatchedBrowser;
  /** A page of its own device. */
  visit(path?: string): Promise<Visit>;
  stop(): Promise<void>;
}

/** A page, and what people look for on it. */
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

/** Builds the page where that is not of exactly these sources. */
export function buildPage(): void {
  execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'inherit'] });
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
    visit: (path = '/') => visit(browser, kernel.url + path),
    async stop() {
      await browser.close();
      await kernel.stop();
    },
  };
}

/** @param address of the page, behind a proxy or not */
export async function visit(browser: WatchedBrowser, address: string): Promise<Visit> {
  const watched = await browser.open();
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

/** Complaints but those of requests that were meant to fail. */
export const surprising = ({ complaints }: WatchedPage): string[] =>
  complaints.filter(complaint => !/Failed to load resource|net::ERR_/.test(complaint));
