/** Tests the client in a real browser, on a page of another origin that the settings name. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundled } from '../../packages/client/test/bundled.ts';
import { type Cutter, startCutter } from '../../packages/client/test/cutter.ts';
import { startKernel, type TestKernel } from '../harness/kernel.ts';
import { held } from '../harness/story.ts';
import { noBrowser, startChromium, type WatchedBrowser } from './chromium.ts';
import { type Stranger, startStranger } from './stranger.ts';

/** The program of the page, stored in its globals. */
const PROGRAM = `
  globalThis.show = (url, chatId) => {
    const client = new kernelClient.KernelClient({ url });
    const view = new kernelClient.ChatView(client, chatId, { retryMs: 20, onConnection: ({ state }) => states.push(state) });
    globalThis.view = view;
    globalThis.texts = () => view.getSnapshot().items.map(item => item.text);
    globalThis.turn = async text => {
      globalThis.heard = [];
      const stream = client.turn(chatId, { text }, { retryMs: 20 });
      for await (const event of stream) heard.push(event.type === 'text_delta' ? event.text : event.type);
    };
  };
  globalThis.states = [];
`;

describe.skipIf(noBrowser)('in Chromium', () => {
  let friend: Stranger;
  let kernel: TestKernel;
  let wire: Cutter;
  let browser: WatchedBrowser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    friend = await startStranger();
    kernel = await startKernel({ settings: { server: { cors_origins: [friend.url] } } });
    wire = await startCutter(kernel.url);
    browser = await startChromium();
    ({ page, complaints } = await browser.open());
    await page.goto(friend.url);
    await page.addScriptTag({ content: (await bundled('KernelClient', 'ChatView')) + PROGRAM });
    await page.waitForFunction('globalThis.show');
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wire.close(), kernel.stop(), friend.stop()]);
  });

  test('[TURN-11] [AUTH-4] continues a turn over a dropped connection, and renders the chat as the history has it', async () => {
    const gate = held({ text: ['two ', 'three'] });
    kernel.upstream.next({ steps: [{ text: 'one ' }, ...(gate.reply.steps ?? [])] });
    const chat = await kernel.api.newChat({ title: 'Page' });
    await page.evaluate(`show(${JSON.stringify(wire.url)}, ${JSON.stringify(chat.id)})`);
    await page.evaluate(`globalThis.over = turn('Go.'); undefined`);
    await page.waitForFunction(`globalThis.heard?.includes('one ') && texts().includes('one ')`);
    wire.cut();
    gate.go();
    await page.evaluate('over');
    const heard = (await page.evaluate('heard')) as string[];
    expect(heard.filter(word => word.includes(' ') || word === 'three').join('')).toBe('one two three');
    expect(heard).not.toContain('reset');
    expect(heard.at(-1)).toBe('done');
    await page.waitForFunction('texts().length === 2 && !view.getSnapshot().busy');
    await page.waitForFunction(
      `view.getSnapshot().items.every(({ id, turn_id }) => !id.startsWith(turn_id))`,
    );
    expect(await page.evaluate('texts()')).toEqual(['Go.', 'one two three']);
    expect(await page.evaluate('states')).toEqual(expect.arrayContaining(['waiting', 'open']));
    // The console reports only dropped connections.
    expect(complaints.filter(complaint => !complaint.includes('net::ERR_'))).toEqual([]);
    expect(browser.departures).toEqual([]);
  });
});
