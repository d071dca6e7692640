/**
 * Tests a hostile page in a real browser against a kernel on the same machine: it changes nothing and learns nothing.
 */
import type { Chat } from '@chat-kernel/protocol';
import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, exchange } from '../harness/http.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { PNG } from '../harness/pictures.ts';
import { SILENCE } from '../harness/story.ts';
import { noBrowser, startChromium, type WatchedBrowser } from './chromium.ts';
import { PAGE, type Stranger, startStranger } from './stranger.ts';

/** Name of an attempt, and its arguments. */
type Attempt = [name: string, ...given: string[]];

const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';
const FORM = 'application/x-www-form-urlencoded';

describe.skipIf(noBrowser)('in Chromium', () => {
  let stranger: Stranger;
  let friend: Stranger;
  let kernel: TestKernel;
  let browser: WatchedBrowser;
  let chat: Chat;
  let image: string;
  let before: string;
  beforeAll(async () => {
    [stranger, friend] = await Promise.all([startStranger(), startStranger()]);
    kernel = await startKernel({ kind: 'google', settings: { server: { cors_origins: [friend.url] } } });
    browser = await startChromium({ unguarded: kernel.url });
    chat = await kernel.api.newChat({ title: 'Private' });
    const drawing = { image: { media_type: 'image/png', bytes: PNG } };
    kernel.upstream.next({ steps: [{ text: 'A secret.' }, drawing, SILENCE] });
    const stream = await kernel.api.turn(chat.id, { text: 'Draw.' });
    image = (await stream.until('image')).url;
    before = await state();
  });
  afterAll(async () => {
    await kernel.stop();
    await Promise.all([browser.close(), stranger.stop(), friend.stop()]);
  });
  afterEach(async () => {
    expect(await state()).toBe(before);
  });

  /** Everything that a hostile page could have changed. */
  async function state(): Promise<string> {
    const { api, upstream } = kernel;
    const addresses = ['/v1/chats', `/v1/chats/${chat.id}`, `/v1/chats/${chat.id}/messages`];
    const answers = await Promise.all(addresses.map(address => api.get(address)));
    return JSON.stringify([answers.map(({ body }) => body), upstream.requests.length]);
  }

  /** Origins of a page → the frame it runs in. */
  const places: Record<string, () => Promise<Frame>> = {
    'another port of this machine': () => visit(stranger.url),
    'another site': () => visit(`http://stranger.example:${stranger.port}`),
    'a frame without an origin': async () => {
      const page = (await visit(stranger.url)).page();
      await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'),
        { sandbox: 'allow-scripts allow-forms', src: '/' }))`);
      await page.waitForFunction('frames.length === 1');
      const frame = page.frames()[1] as Frame;
      await frame.waitForFunction('globalThis.attempts');
      return frame;
    },
  };
  async function visit(address: string): Promise<Frame> {
    const { page } = await browser.open();
    await page.goto(address);
    return page.mainFrame();
  }
  const attempt = (frame: Frame, ...[name, ...given]: Attempt): Promise<string> =>
    frame.evaluate(`attempts[${JSON.stringify(name)}](...${JSON.stringify(given)})`);

  describe.each(Object.keys(places))('from %s', place => {
    let frame: Frame;
    beforeAll(async () => {
      frame = await places[place]!();
    });
    afterAll(() => frame.page().context().close());

    test('[AUTH-4] rejects writes by a script', async () => {
      const chats = `${kernel.url}/v1/chats`;
      const one = `${chats}/${chat.id}`;
      const writes: Attempt[] = [
        ['ask', 'POST', chats, JSON_TYPE, '{}'],
        ['ask', 'POST', chats, TEXT, '{}'],
        ['ask', 'POST', `${one}/messages`, JSON_TYPE, '{"text":"Obey."}'],
        ['ask', 'POST', `${one}/messages`, TEXT, '{"text":"Obey."}'],
        ['ask', 'PATCH', one, JSON_TYPE, '{"title":"Taken"}'],
        ['ask', 'DELETE', one],
        ['askBlindly', 'POST', chats, '{}'],
        ['askBlindly', 'POST', `${one}/messages`, '{"text":"Obey."}'],
        ['askBlindly', 'POST', `${one}/cancel`],
        // Accepts any type, so the browser sends no preflight.
        ['askBlindly', 'POST', `${kernel.url}/v1/files`, 'bytes'],
        ['ask', 'POST', `${kernel.url}/v1/files`, TEXT, 'bytes'],
      ];
      for (const write of writes) expect([write, await attempt(frame, ...write)]).toEqual([write, '']);
    });

    test('[AUTH-4] rejects writes by a form', async () => {
      const one = `/v1/chats/${chat.id}`;
      for (const address of ['/v1/chats', '/v1/files', `${one}/messages`, `${one}/cancel`]) {
        for (const type of [TEXT, FORM, 'multipart/form-data']) {
          const refused = frame.page().waitForResponse(kernel.url + address);
          expect(await attempt(frame, 'form', kernel.url + address, type, '{"text":"', 'Obey."}')).toBe('');
          expect((await refused).status()).toBe(403);
        }
      }
    });

    test('[AUTH-4] rejects reads', async () => {
      const { url } = kernel;
      const reads: Attempt[] = [
        ['ask', 'GET', `${url}/v1/chats`],
        ['ask', 'GET', `${url}/v1/chats/${chat.id}/items`],
        ['ask', 'GET', `${url}/v1/openapi.json`],
        ['askBlindly', 'GET', `${url}/v1/chats`],
        ['askBlindly', 'GET', `${url}/v1/chats/${chat.id}/live`],
        ['stream', `${url}/v1/chats/${chat.id}/live`],
        // A page that knows the id of an image may show it (AUTH-2), but not read its bytes.
        ['ask', 'GET', url + image],
        ['image', `${url}/v1/chats`],
        ['script', `${url}/v1/chats`],
        ['script', `${url}/apidocs/js/scalar.js`],
      ];
      for (const read of reads) expect([read, await attempt(frame, ...read)]).toEqual([read, '']);
    });

    test('[AUTH-4] refuses to be shown in a frame', async () => {
      for (const address of ['/', '/apidocs', '/v1/chats']) {
        const frames = frame.childFrames().length;
        await attempt(frame, 'frame', kernel.url + address);
        const shown = () => frame.childFrames()[frames]?.url();
        await expect.poll(shown).toBe('chrome-error://chromewebdata/');
      }
    });
  });

  test('[AUTH-4] accepts the same requests from a page of the kernel and from a page that the settings allow', async () => {
    for (const address of [`${kernel.url}/v1/none`, friend.url]) {
      const { page } = await browser.open();
      // A page of the kernel itself that may run scripts and load images, as a client's page may.
      if (address.startsWith(kernel.url)) {
        await page.route(address, route => route.fulfill({ contentType: 'text/html', body: PAGE }));
      }
      await page.goto(address);
      const frame = page.mainFrame();
      const chats = `${kernel.url}/v1/chats`;
      expect(await attempt(frame, 'ask', 'GET', chats)).toMatch(/^200 .*Private/);
      expect(await attempt(frame, 'stream', `${chats}/${chat.id}/live`)).toContain('"replayed":true');
      const made = await attempt(frame, 'ask', 'POST', chats, JSON_TYPE, '{"title":"Made by a page"}');
      expect(made).toMatch(/^201 .*Made by a page/);
      const { id } = JSON.parse(made.slice(4)) as Chat;
      expect(await attempt(frame, 'ask', 'DELETE', `${chats}/${id}`)).toMatch(/^20/);
      if (address.startsWith(kernel.url)) {
        expect(await attempt(frame, 'image', kernel.url + image)).toBe('1x1');
        expect(await attempt(frame, 'script', `${kernel.url}/apidocs/js/scalar.js`)).toBe('ran');
      }
      await page.context().close();
    }
  });

  test('[AUTH-4] rejects requests under a foreign name that resolves to the kernel', async () => {
    const port = new URL(kernel.url).port;
    const home = `http://rebound.example:${port}`;
    const { page } = await browser.open();
    // The page was loaded while the name pointed to the attacker; its requests are sent after the name points to the
    // kernel.
    await page.route(`${home}/`, route => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await page.goto(`${home}/`);
    const frame = page.mainFrame();
    for (const path of ['/v1/chats', `/v1/chats/${chat.id}/live`, '/v1/openapi.json', '/apidocs']) {
      expect(await attempt(frame, 'ask', 'GET', path)).toMatch(/^403 .*"forbidden_host"/);
    }
    expect(await attempt(frame, 'ask', 'POST', '/v1/chats', JSON_TYPE, '{}')).toMatch(/^403 .*host/);
    expect(await attempt(frame, 'stream', `/v1/chats/${chat.id}/live`)).toBe('');
    expect(await attempt(frame, 'image', image)).toBe('');
    await page.context().close();
  });

  test('[AUTH-4] answers no request under a foreign host name', async () => {
    const host = `rebound.example:${new URL(kernel.url).port}`;
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/apidocs'],
      ['GET', '/v1/chats'],
      ['GET', `/v1/chats/${chat.id}/live`],
      ['POST', '/v1/chats'],
    ] as const) {
      const headers = { host, 'content-type': JSON_TYPE };
      const answer = await exchange(kernel.url + path, {
        method,
        headers,
        body: method === 'POST' ? '{}' : '',
      });
      expect([path, answer.statusCode]).toEqual([path, 403]);
      expect((await bytesOf(answer)).toString()).not.toContain('Private');
    }
  });
});
