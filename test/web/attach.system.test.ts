/** Attachments: chosen, dropped and pasted files, upload progress, removal and failures. */
import { randomBytes } from 'node:crypto';
import type { JSHandle } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { says } from '../harness/story.ts';
import { sharedWeb, type Visit } from './open-page.ts';

interface Given {
  name: string;
  type: string;
  /** Base64. */
  data: string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** One black pixel. */
const DOT: Given = {
  name: 'dot.png',
  type: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const NOTES: Given = { name: 'notes.txt', type: 'text/plain', data: base64('Buy milk.') };
const SLOW = { name: 'slow.bin', mimeType: 'application/octet-stream', buffer: randomBytes(400_000) };

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  const web = sharedWeb();
  beforeEach(async () => {
    const { id } = await web.kernel.client.createChat({ title: 'Files' });
    page = await web.visit(`/chats/${id}`);
    await page.message.waitFor();
  });

  /** Creates the DataTransfer of a drop or a paste. */
  const transferOf = (...files: Given[]): Promise<JSHandle> =>
    page.page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        for (const { name, type, data } of ${JSON.stringify(files)}) {
          const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
          transfer.items.add(new File([bytes], name, { type }));
        }
        return transfer;
      })()`,
    );
  const attached = () => page.page.getByRole('list', { name: 'Attachments' });
  const choose = (...files: (typeof SLOW)[]) => page.page.locator('input[type="file"]').setInputFiles(files);

  /** Sends the attachments, and waits until the conversation shows the image and the file. */
  async function sent() {
    web.kernel.upstream.next(says('Seen.'));
    await page.say('Look.');
    const message = page.articles('user_message').filter({ hasText: 'Look.' });
    await message.getByRole('img', { name: 'Attachment' }).waitFor();
    const link = message.getByRole('link', { name: /notes\.txt/ });
    const address = await link.evaluate(each => (each as unknown as { href: string }).href);
    expect(await (await fetch(address)).text()).toBe('Buy milk.');
    await page.log.getByText('Seen.').waitFor();
    expect(JSON.stringify(web.kernel.upstream.requests.at(-1)?.body.messages)).toContain(DOT.data);
    expect(await attached().count()).toBe(0);
  }

  test('[WEB-3] accepts files dropped anywhere on a chat, and highlights the drop area', async () => {
    const dataTransfer = await transferOf(NOTES, DOT);
    const area = page.page.getByRole('region', { name: 'Chat', exact: true });
    await area.dispatchEvent('dragover', { dataTransfer });
    await page.page.locator('section.dropping').waitFor();
    await area.dispatchEvent('dragleave', { dataTransfer });
    await page.page.locator('section.dropping').waitFor({ state: 'detached' });
    await page.log.dispatchEvent('drop', { dataTransfer });
    await attached().getByText('notes.txt').waitFor();
    await attached().getByText('dot.png').waitFor();
    await sent();
  });

  test('[WEB-3] attaches pasted files and images, and inserts pasted text', async () => {
    const clipboardData = await transferOf(NOTES);
    await page.message.evaluate(
      (area, data) =>
        (area as unknown as EventTarget).dispatchEvent(
          // biome-ignore lint/suspicious/noExplicitAny: these types have no browser
          new (globalThis as any).ClipboardEvent('paste', {
            clipboardData: data,
            bubbles: true,
            cancelable: true,
          }),
        ),
      clipboardData,
    );
    await attached().getByText('notes.txt').waitFor();
    // The real clipboard, with key presses.
    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const write = (program: string) => page.page.evaluate(`navigator.clipboard.${program}`);
    await write(
      `write([new ClipboardItem({ 'image/png': new Blob([Uint8Array.from(atob('${DOT.data}'), letter => letter.charCodeAt(0))], { type: 'image/png' }) })])`,
    );
    await page.message.focus();
    await page.page.keyboard.press('Control+v');
    await attached().getByText('image.png').waitFor();
    await write("writeText('Only words')");
    await page.page.keyboard.press('Control+v');
    await expect.poll(() => page.message.inputValue()).toBe('Only words');
    expect(await attached().getByRole('listitem').count()).toBe(2);
  });

  test('[WEB-3] shows upload progress, and disables Send until the upload is complete', async () => {
    const hand = await page.page.context().newCDPSession(page.page);
    const uploadAt = (uploadThroughput: number) =>
      hand.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await uploadAt(40_000);
    await choose(SLOW);
    await page.message.fill('Here.');
    const bar = page.page.getByRole('progressbar', { name: 'Uploading slow.bin' });
    const share = () => bar.evaluate(each => (each as unknown as { value: number }).value);
    await expect.poll(share).toBeGreaterThan(0);
    expect(await share()).toBeLessThan(1);
    expect(await page.button('Send').isDisabled()).toBe(true);
    const stopped = page.page.waitForEvent('requestfailed', request => request.url().endsWith('/v1/files'));
    await page.button('Remove slow.bin').click();
    await stopped;
    await attached().waitFor({ state: 'detached' });
    await choose(SLOW);
    await bar.waitFor();
    await uploadAt(-1);
    await bar.waitFor({ state: 'detached' });
    await expect.poll(() => page.button('Send').isEnabled()).toBe(true);
  });

  test('[WEB-3] shows a failed upload, and sends the message without it', async () => {
    await page.page.route('**/v1/files', route => route.abort());
    await choose({ ...SLOW, name: 'lost.bin' });
    await attached().getByText("Couldn't upload lost.bin.").waitFor();
    web.kernel.upstream.next(says('Without it.'));
    await page.say('Go on.');
    await page.log.getByText('Without it.').waitFor();
  });

  test('[WEB-3] [WEB-9] shows an image of the model, which opens in full view and can be downloaded', async () => {
    web.kernel.upstream.next({
      steps: [{ image: { media_type: 'image/png', bytes: Buffer.from(DOT.data, 'base64') } }],
    });
    await page.say('Draw.');
    const picture = page.log.getByRole('img', { name: 'PNG image from the model' });
    const width = () => picture.evaluate(each => (each as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBe(1);
    await page.button('Open image', page.log).click();
    const view = page.page.getByRole('dialog', { name: 'PNG image from the model' });
    const download = page.page.waitForEvent('download');
    await view.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toMatch(/^image-\w+\.png$/);
  });
});
