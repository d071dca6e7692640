/** Starts Chromium as Debian ships it, headless, with an empty profile, and records the requests of its pages. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';

/** True if there is no browser and the environment does not require one. */
export const noBrowser = !existsSync(EXECUTABLE) && !process.env.REQUIRE_ALL;
if (noBrowser) process.stderr.write(`The tests in a browser are skipped: there is no ${EXECUTABLE}.\n`);

export interface WatchedBrowser {
  /** Opens a page with separate storage, on a desktop unless a device says otherwise. */
  open(device?: Device): Promise<WatchedPage>;
  /** Requests of pages to any other host than this machine, recorded outside the browser. All were blocked. */
  departures: string[];
  close(): Promise<void>;
}

export type Device = Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile' | 'colorScheme'>;

export const DESKTOP = { width: 1280, height: 900 };
/** The smallest phone that the page supports. */
export const PHONE: Device = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

export interface WatchedPage {
  page: Page;
  /** The address of every request, sent or not, with those of web sockets. */
  requests: string[];
  /** Console errors, uncaught errors, and violations of a Content-Security-Policy. */
  complaints: string[];
}

interface ChromiumOptions {
  unguarded?: string;
  microphone?: string;
}

/**
 * The browser that the files of this process share, because starting one takes longer than most files do. Each file
 * opens pages with separate storage. It ends with the process.
 */
let shared: Promise<Browser> | undefined;

/**
 * For its pages, names under .example and .home.arpa resolve to this machine, and all other names lead to a proxy that
 * only records requests. `unguarded` is an address of this machine that Chromium treats as one of the open internet:
 * otherwise Chromium itself protects loopback from a stranger's page, which not every browser does. `microphone` is a
 * WAV file that the microphone plays repeatedly, without a permission prompt. With one of them, and outside of vitest,
 * the browser is not shared: it ends when it is closed.
 */
export async function startChromium({
  unguarded,
  microphone,
}: ChromiumOptions = {}): Promise<WatchedBrowser> {
  const flags = [
    ...(microphone ? microphoneOf(microphone) : []),
    ...(unguarded ? [`--ip-address-space-overrides=${new URL(unguarded).host}=public`] : []),
  ];
  const isOwn = flags.length > 0 || !process.env.VITEST;
  const [browser, border] = await Promise.all([isOwn ? launch(flags) : sharedBrowser(), startBorder()]);
  const contexts: BrowserContext[] = [];
  return {
    async open(device = {}) {
      const watched = await open(browser, border.url, device);
      contexts.push(watched.page.context());
      return watched;
    },
    departures: border.departures,
    async close() {
      await Promise.all(contexts.map(context => context.close()));
      if (isOwn) await browser.close();
      await border.close();
    },
  };
}

async function sharedBrowser(): Promise<Browser> {
  shared ??= launch([]);
  const browser = await shared;
  if (browser.isConnected()) return browser;
  // It has crashed in an earlier file.
  shared = launch([]);
  return shared;
}

const launch = (flags: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // It would ask its vendor what the fields of each form mean.
      '--disable-features=AutofillServerCommunication',
      // Port 9 discards Chromium's own reports to its vendor, which are unrelated to the page.
      '--proxy-server=http://127.0.0.1:9',
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.home.arpa 127.0.0.1',
      ...flags,
    ],
  });

const microphoneOf = (file: string): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}`,
];

/** Starts a proxy that rejects and records everything. */
async function startBorder() {
  const departures: string[] = [];
  const server = createServer((request, response) => {
    departures.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    departures.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    departures,
    close: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  };
}

async function open(browser: Browser, border: string, device: Device): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    ...device,
    proxy: { server: border, bypass: '127.0.0.1,*.example,*.home.arpa' },
  });
  // Below the timeout of a test, so that a failed wait says what it waited for.
  context.setDefaultTimeout(25_000 * Number(process.env.TEST_SLOWNESS ?? 1));
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', request => requests.push(request.url()));
  context.on('console', message => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', failure => complaints.push(String(failure.error())));
  // A policy violation that the page expects is reported only here.
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(\`refused by \${violatedDirective}: \${blockedURI}\`))`);
  const page = await context.newPage();
  page.on('websocket', socket => requests.push(socket.url()));
  return { page, requests, complaints };
}
