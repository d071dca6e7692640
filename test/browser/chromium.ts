/** Chromium as Debian ships it, headless, with an empty profile, and watched: what its pages ask for is kept. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';

const EXECUTABLE = '/usr/bin/chromium';

/** True where there is no browser and nobody insists on one. */
export const noBrowser = !existsSync(EXECUTABLE) && !process.env.REQUIRE_ALL;
if (noBrowser) process.stderr.write(`The tests in a browser are skipped: there is no ${EXECUTABLE}.\n`);

export interface WatchedBrowser {
  /** A page with storage of its own. */
  open(): Promise<WatchedPage>;
  /** Requests of pages to any host but this machine, seen from outside the browser. None was let through. */
  departures: string[];
  close(): Promise<void>;
}

export interface WatchedPage {
  page: Page;
  /** The address of every request, sent or not, with those of web sockets. */
  requests: string[];
  /** Errors of the console, errors that nobody caught, and what a Content-Security-Policy refused. */
  complaints: string[];
}

interface ChromiumOptions {
  unguarded?: string;
  microphone?: string;
}

/**
 * For its pages names under .example and .home.arpa are this machine, and all other names lead to a proxy that only takes notes.
 * `unguarded` is an address of this machine that Chromium takes for one of the open internet: elsewhere it stands
 * between a stranger's page and loopback itself, which not every browser does.
 * `microphone` is a WAV file that is heard there again and again, and asks nobody.
 */
export async function startChromium({
  unguarded,
  microphone,
}: ChromiumOptions = {}): Promise<WatchedBrowser> {
  const border = await startBorder();
  const browser = await chromium.launch({
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
      // It would ask its maker what the fields of each form mean.
      '--disable-features=AutofillServerCommunication',
      // Port 9 discards Chromium's own reports to its maker, which have nothing to do with the page.
      '--proxy-server=http://127.0.0.1:9',
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.home.arpa 127.0.0.1',
      ...(microphone ? microphoneOf(microphone) : []),
      ...(unguarded ? [`--ip-address-space-overrides=${new URL(unguarded).host}=public`] : []),
    ],
  });
  return {
    open: () => open(browser, border.url),
    departures: border.departures,
    async close() {
      await browser.close();
      await border.close();
    },
  };
}

const microphoneOf = (file: string): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}`,
];

/** A proxy that refuses everything and remembers it. */
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

async function open(browser: Browser, border: string): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    proxy: { server: border, bypass: '127.0.0.1,*.example,*.home.arpa' },
  });
  context.setDefaultTimeout(10_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', request => requests.push(request.url()));
  context.on('console', message => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', failure => complaints.push(String(failure.error())));
  // A policy's refusal that the page's program expects is told nowhere but here.
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(\`refused by \${violatedDirective}: \${blockedURI}\`))`);
  const page = await context.newPage();
  page.on('websocket', socket => requests.push(socket.url()));
  return { page, requests, complaints };
}
