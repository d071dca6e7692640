/** Previews of code run in a frame that reaches neither the network nor the page. */
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';
import { type Said, seed, seedChat } from '../harness/seed.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

/** Attempts to reach another host, the kernel, and the page. */
const hostile = (outside: string, stun: string) => `<!doctype html>
<p id="text">Shown.</p>
<script>
const results = {};
const tries = {
  fetch: () => fetch('${outside}/fetch', { mode: 'no-cors' }),
  kernel: () => fetch(location.origin === 'null' ? new URL('/v1/chats', document.baseURI) : '/v1/chats'),
  request: () => new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.onload = done;
    request.onerror = fail;
    request.open('GET', '${outside}/request');
    request.send();
  }),
  socket: () => new Promise((done, fail) => {
    const socket = new WebSocket('${outside.replace('http', 'ws')}/socket');
    socket.onopen = done;
    socket.onerror = fail;
  }),
  image: () => new Promise((done, fail) => {
    const image = new Image();
    image.onload = done;
    image.onerror = fail;
    image.src = '${outside}/image';
  }),
  script: () => new Promise((done, fail) => {
    const script = document.createElement('script');
    script.onload = done;
    script.onerror = fail;
    script.src = '${outside}/script';
    document.head.append(script);
  }),
  parent: () => parent.document.title,
  storage: () => localStorage.length,
  cookie: () => document.cookie,
  top: () => { top.location.href = '${outside}/top'; },
  nested: () => new Promise((done, fail) => {
    const frame = document.createElement('iframe');
    frame.src = '${outside}/nested-frame';
    document.body.append(frame);
    setTimeout(fail, 300);
  }),
  window: () => { if (!open('${outside}/window')) throw new Error('blocked'); },
};
const all = Object.entries(tries).map(async ([name, go]) => {
  try { await go(); results[name] = 'done'; } catch (error) { results[name] = 'refused'; }
});
const gather = async stun => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: stun }] });
  const over = new Promise(done => { peer.onicecandidate = ({ candidate }) => candidate ?? done(); });
  peer.createDataChannel('x');
  await peer.setLocalDescription();
  await over;
};
all.push(gather('${stun}'));
navigator.sendBeacon('${outside}/beacon', 'x');
document.head.insertAdjacentHTML('beforeend',
  '<link rel="stylesheet" href="${outside}/style"><link rel="prefetch" href="${outside}/prefetch"><link rel="preconnect" href="${outside}">');
document.body.insertAdjacentHTML('beforeend',
  '<iframe src="${outside}/frame"></iframe><iframe srcdoc="<img src=${outside}/nested>"></iframe>' +
  '<form id="form" action="${outside}/form" method="post"><input name="a" value="b"></form>');
document.querySelector('#form').submit();
Promise.all(all).then(() => { globalThis.results = results; });
</script>`;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="200" height="100"/></svg>';

describe.skipIf(noBrowser)('in Chromium', () => {
  const directory = temporaryDirectory();
  const arrivals: string[] = [];
  let outside: Server;
  let address: string;
  /** Receives what a connection between browsers would send. */
  const udp = createSocket('udp4');
  let web: Web;
  const chats = new Map<string, string>();
  beforeAll(async () => {
    outside = createServer((request, response) => {
      arrivals.push(`${request.method} ${request.url}`);
      response.end();
    });
    outside.on('connection', () => arrivals.push('connection'));
    outside.on('upgrade', (request, socket) => {
      arrivals.push(`upgrade ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>(resolve => outside.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
    udp.on('message', () => arrivals.push('packet'));
    await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve));
    const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;
    const texts = {
      hostile: fenced('html', hostile(address, `stun:127.0.0.1:${udp.address().port}`)),
      tall: fenced('html', '<p>Tall.</p><div style="height: 5000px"></div>'),
      picture: fenced('svg', SVG),
      diagram: fenced('mermaid', 'flowchart LR\n  A[Start] --> B[End]'),
      wrong: fenced('mermaid', 'flowchart LR\n  A[Broken --> '),
      program: fenced('ts', 'const a = 1;'),
    };
    await seed(directory.path, async store => {
      for (const [name, text] of Object.entries(texts)) {
        const said: Said[] = [
          ['user', 'Show it.'],
          ['assistant', `${text}\nThe end.`],
        ];
        chats.set(name, (await seedChat(store, said)).chat);
      }
    });
    web = await startWeb({ dataDir: directory.path });
  });
  afterAll(async () => {
    await web?.stop();
    outside?.close();
    udp.close();
    directory.remove();
  });

  /** Opens the page of a chat, high enough that all of its code is in the document. */
  async function open(name: string): Promise<Visit> {
    const page = await web.visit();
    await page.page.setViewportSize({ width: 820, height: 3500 });
    await page.page.goto(`${web.kernel.url}/chats/${chats.get(name)}`);
    await page.log.getByText('The end.').waitFor();
    return page;
  }
  /** Opens the preview of the only code. */
  async function preview({ page, button }: Visit) {
    await button('Preview').click();
    const element = page.locator('iframe[title="Preview"]');
    const frame = await (await element.elementHandle())!.contentFrame();
    return { element, frame: frame!, height: () => element.evaluate(each => each.clientHeight) };
  }

  test('[WEB-9] a page in a preview cannot send anything, leave its place, or reach the page', async () => {
    const page = await open('hostile');
    const { element, frame } = await preview(page);
    await frame.getByText('Shown.').waitFor();
    expect(await element.getAttribute('sandbox')).toBe('allow-scripts');
    await expect.poll(() => frame.evaluate('globalThis.results'), PATIENT).toBeTruthy();
    const results = (await frame.evaluate('globalThis.results')) as Record<string, string>;
    expect(Object.keys(results).length).toBe(12);
    expect(new Set(Object.values(results))).toEqual(new Set(['refused']));
    await frame.evaluate(`setTimeout(() => { location.href = '${address}/self'; })`);
    await expect.poll(() => frame.url()).not.toContain('preview-frame');
    expect(frame.url()).not.toContain(address);
    expect(arrivals).toEqual([]);
    expect(web.browser.departures).toEqual([]);
    expect(page.page.url()).toContain('/chats/');
    expect(page.page.context().pages()).toHaveLength(1);
  });

  test('[WEB-9] limits the height of a page in a preview', async () => {
    const { height } = await preview(await open('tall'));
    await expect.poll(height).toBe(640);
  });

  test('[WEB-9] draws a picture in its own height in place of its code', async () => {
    const page = await open('picture');
    const { frame, height } = await preview(page);
    await frame.locator('img.drawing').waitFor();
    await expect.poll(height).toBeGreaterThan(190);
    expect(await frame.evaluate('document.body.scrollWidth <= innerWidth')).toBe(true);
    expect(await page.log.locator('pre').count()).toBe(0);
    await page.button('Preview').click();
    await page.log.locator('pre').waitFor();
  });

  test('[WEB-9] draws a Mermaid diagram with a program that is loaded on demand', async () => {
    const page = await open('diagram');
    const programs = () => page.requests.filter(each => each.includes('mermaid'));
    expect(programs()).toEqual([]);
    const { frame } = await preview(page);
    await frame.locator('svg').getByText('Start', { exact: true }).waitFor();
    // The page requests it through its service worker, so the browser reports it twice.
    expect([...new Set(programs())]).toEqual([expect.stringContaining(`${web.kernel.url}/assets/`)]);
    expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('[WEB-9] shows the error of a wrong diagram above its code', async () => {
    const page = await open('wrong');
    await page.button('Preview').click();
    await page.log.getByRole('alert').getByText("This can't be shown.").waitFor();
    await page.log.locator('pre').getByText('A[Broken').waitFor();
  });

  test('[WEB-9] offers a preview only for these languages, once the code is complete', async () => {
    expect(await (await open('program')).button('Preview').count()).toBe(0);
    const { id } = await web.kernel.client.createChat({ title: 'Streams' });
    const page = await web.visit(`/chats/${id}`);
    await page.page.setViewportSize({ width: 820, height: 3500 });
    const [rest, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    web.kernel.upstream.next({
      steps: [
        { text: `\`\`\`html\n${'<p>Line</p>\n'.repeat(60)}` },
        { wait: rest.promise },
        { text: '<p>Last</p>\n```\n\nAfter it.\n\nThe end' },
        { wait: end.promise },
        { text: '.' },
      ],
    });
    await page.say('Show.');
    await expect.poll(() => page.log.locator('figure.code.glued').count()).toBe(1);
    expect(await page.button('Preview').count()).toBe(0);
    rest.resolve();
    await page.log.getByText('After it.').waitFor();
    const { frame } = await preview(page);
    await frame.getByText('Last').waitFor();
    end.resolve();
    await page.idle();
    await frame.getByText('Last').waitFor();
  });
});
