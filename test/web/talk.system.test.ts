/** Messages and responses: sending, queueing, files and drafts. */
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { held, says } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  const web = sharedWeb();
  // Each test has its own chat, created by its first message.
  beforeEach(async () => {
    page = await web.visit();
    return async () => {
      expect(surprising(page)).toEqual([]);
      expect(web.browser.departures).toEqual([]);
    };
  });

  test('[WEB-2] creates a chat with the first message, and renders the response as elements', async () => {
    web.kernel.upstream.next(
      says(
        'Tea, **green**, from [Uji](https://example.org/uji).\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n',
      ),
    );
    await page.say('Which tea is this?');
    const answer = page.articles('agent_message');
    await answer.getByText('green').waitFor();
    await expect.poll(() => page.page.url()).toMatch(/\/chats\/[0-9a-f-]+$/);
    await expect.poll(() => answer.getAttribute('data-status')).toBe('completed');
    expect(await answer.locator('strong').textContent()).toBe('green');
    expect(await answer.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    expect(await answer.locator('pre code').textContent()).toBe('const a = 1;');
    // A worker highlights the code.
    await answer.locator('pre .hl-keyword').waitFor();
    expect(await page.articles('user_message').textContent()).toContain('Which tea is this?');
    const ids = (await web.kernel.client.items(chatOf(page))).map(({ id }) => id);
    await expect
      .poll(() => page.articles().evaluateAll(all => all.map(each => (each as HTMLElement).dataset.itemId)))
      .toEqual(ids);
  });

  test('[WEB-2] queues a message during a turn, and takes it back into the input', async () => {
    const gate = held({ text: 'Done.' });
    web.kernel.upstream.next(gate.reply);
    await page.say('Take your time.');
    // Stop appears before the page of the chat, whose message box is another one.
    await page.page.waitForURL('**/chats/*');
    await page.button('Stop').waitFor();
    await page.say('And one more.');
    const waiting = page.articles('user_message').filter({ hasText: 'And one more.' });
    await page.button('Take back', waiting).click();
    await waiting.waitFor({ state: 'detached' });
    expect(await page.message.inputValue()).toBe('And one more.');
    await page.message.fill('');
    gate.go();
    await page.idle();
    expect(
      web.kernel.upstream.requests.some(({ body }) => JSON.stringify(body).includes('And one more.')),
    ).toBe(false);
  });

  test('[WEB-3] sends files and images, and keeps an unsent message over a reload', async () => {
    const [chooser] = await Promise.all([
      page.page.waitForEvent('filechooser'),
      page.button('Attach').click(),
    ]);
    await chooser.setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.') },
      { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') },
    ]);
    await page.page.getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
    web.kernel.upstream.next(says('Seen.'));
    await page.say('Look.');
    const sent = page.articles('user_message').filter({ hasText: 'Look.' });
    await sent.getByRole('link', { name: /notes\.txt/ }).waitFor();
    await sent.getByRole('img', { name: 'Attachment' }).waitFor();
    await page.idle();
    await page.message.fill('Half a thou');
    await page.page.keyboard.press('Escape');
    await page.page.reload();
    await expect.poll(() => page.message.inputValue()).toBe('Half a thou');
  });

  test('[WEB-3] opens the notebook after a slash, and saves it', async () => {
    const { id } = await web.kernel.client.createChat({ title: 'Notes' });
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    await page.message.pressSequentially('/not');
    await page.page.getByRole('option', { name: /notebook/ }).waitFor();
    await page.page.keyboard.press('Enter');
    const notebook = page.page.getByRole('dialog', { name: 'Notebook' });
    await notebook.getByRole('textbox', { name: 'Notebook text' }).fill('Likes tea.');
    await page.button('Save', notebook).click();
    await notebook.waitFor({ state: 'detached' });
    expect((await web.kernel.client.getNotebook(id)).text).toBe('Likes tea.');
  });

  test('[VOICE-1][VOICE-2] shows neither Record nor Play without a voice model', async () => {
    const { id } = await web.kernel.client.createChat({ title: 'Silence' });
    await web.kernel.client.say(id, 'Hello.');
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    const answer = page.articles('agent_message');
    await answer.waitFor();
    await expect.poll(() => page.requests.some(url => url.endsWith('/v1/voice'))).toBe(true);
    await page.button('Actions', answer).click();
    await page.page.getByRole('menuitem', { name: 'Copy' }).waitFor();
    expect(await page.page.getByRole('menuitem', { name: 'Play' }).count()).toBe(0);
    expect(await page.button('Record').count()).toBe(0);
  });
});

const chatOf = ({ page }: Visit): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** One black pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
