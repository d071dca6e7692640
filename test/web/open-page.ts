/** Opens the built page of a real kernel in a real browser. Tests find elements by role and name. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, TestRunner } from 'vitest';
import {
  DESKTOP,
  type Device,
  startChromium,
  type WatchedBrowser,
  type WatchedPage,
} from '../browser/chromium.ts';
import { type KernelOptions, startKernel, type TestKernel } from '../harness/kernel.ts';

const BUILD = join(import.meta.dirname, '../../scripts/build-web.ts');

export interface Web {
  kernel: TestKernel;
  browser: WatchedBrowser;
  /**
   * Opens the page on a new device. One that is opened by a test returns to its start afterwards, and the next test gets it:
   * a new context costs two seconds of a core, and a visit with warm caches a fifth of one. A test that changes what
   * cannot be taken back, such as scripts of the page, closes the context.
   */
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
  const free = new Map<WatchedPage, Device | undefined>();
  return {
    kernel,
    browser,
    async visit(path = '/', device) {
      const kept = [...free].find(([{ page }, of]) => of === device && !page.isClosed())?.[0];
      if (kept) free.delete(kept);
      const watched = kept ?? (await browser.open(device));
      if (TestRunner.getCurrentTest()) {
        onTestFinished(async () => {
          if (await isLikeNew(watched, kernel.url, device)) free.set(watched, device);
        });
      }
      return visitOn(watched, kernel.url + path);
    },
    async stop() {
      await browser.close();
      await kernel.stop();
    },
  };
}

/** Starts a page for all tests of a group, before the first one, and stops it after the last one. */
export function sharedWeb(options?: Parameters<typeof startWeb>[0]): Web {
  const shared: Partial<Web> = {};
  beforeAll(async () => {
    Object.assign(shared, await startWeb(options));
  });
  afterAll(() => shared.stop?.());
  return shared as Web;
}

/** Takes back what a test did to a page and its device. False if that is not possible. */
async function isLikeNew(watched: WatchedPage, url: string, device: Device = {}): Promise<boolean> {
  const { page, requests, complaints } = watched;
  const context = page.context();
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // A document of the same origin that runs no program.
    await page.goto(`${url}/icon.svg`);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
    await page.setViewportSize(device.viewport ?? DESKTOP);
    await context.clearPermissions();
    await Promise.all(context.pages().map(each => each !== page && each.close()));
    requests.length = 0;
    complaints.length = 0;
    return true;
  } catch {
    await context.close();
    return false;
  }
}

/** @param address of the page, behind a proxy or not */
export const visit = async (browser: WatchedBrowser, address: string, device?: Device): Promise<Visit> =>
  visitOn(await browser.open(device), address);

async function visitOn(watched: WatchedPage, address: string): Promise<Visit> {
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
