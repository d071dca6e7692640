/** Talking in the page: messages, answers, what waits, what is stopped, files. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { held, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let page: Visit;
  beforeAll(async () => {
    web = await startWeb();
    page = await web.visit();
  });
  afterAll(() => web?.stop());

  test('[WEB-2] a first message makes a chat, whose address it is then, and the answer is drawn as elements', async () => {
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
    // The colours come from a worker.
    await answer.locator('pre .hl-keyword').waitFor();
    expect(await page.articles('user_message').textContent()).toContain('Which tea is this?');
    const ids = (await web.kernel.client.items(chatOf(page))).map(({ id }) => id);
    await expect
      .poll(() => page.articles().evaluateAll(all => all.map(each => (each as HTMLElement).dataset.itemId)))
      .toEqual(ids);
  });

  test('[WEB-2] what is sent in mid-turn waits, and can be taken back into the input', async () => {
    const gate = held({ text: 'Done.' });
    web.kernel.upstream.next(gate.reply);
    await page.say('Take your time.');
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

  test('[WEB-2] a turn is stopped', async () => {
    const gate = held({ text: 'never said' });
    web.kernel.upstream.next({ steps: [{ text: 'A beginning.' }, ...(gate.reply.steps ?? [])] });
    await page.say('Go.');
    await page.log.getByText('A beginning.').waitFor();
    await page.button('Stop').click();
    await page.idle();
    await page.articles('machine_note').last().waitFor();
    gate.go();
  });

  test('[WEB-3] files go along with their progress, pictures as pictures, and words that were not sent survive a reload', async () => {
    const [chooser] = await Promise.all([
      page.page.waitForEvent('filechooser'),
      page.button('Attach').click(),
    ]);
    await chooser.setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk.') },
      { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') },
    ]);
    await page.page.getByRole('list', { name: 'Attached' }).getByText('notes.txt').waitFor();
    web.kernel.upstream.next(says('Seen.'));
    await page.say('Look.');
    const sent = page.articles('user_message').filter({ hasText: 'Look.' });
    await sent.getByRole('link', { name: /notes\.txt/ }).waitFor();
    await sent.getByRole('img', { name: 'Sent along' }).waitFor();
    await page.idle();
    await page.message.fill('Half a thou');
    await page.page.keyboard.press('Escape');
    await page.page.reload();
    await expect.poll(() => page.message.inputValue()).toBe('Half a thou');
    await page.message.fill('');
  });

  test('[WEB-3] a slash shows the commands, and Ctrl+K goes anywhere', async () => {
    await page.message.pressSequentially('/not');
    await page.page.getByRole('option', { name: /notebook/ }).waitFor();
    await page.page.keyboard.press('Enter');
    const notebook = page.page.getByRole('dialog', { name: 'Notebook' });
    await notebook.getByRole('textbox', { name: 'Notebook text' }).fill('Likes tea.');
    await page.button('Save', notebook).click();
    await notebook.waitFor({ state: 'detached' });
    expect((await web.kernel.client.getNotebook(chatOf(page))).text).toBe('Likes tea.');
    await page.page.keyboard.press('Control+k');
    await page.page.getByRole('combobox', { name: 'Go to' }).fill('usa');
    await page.page.keyboard.press('Enter');
    await page.page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(surprising(page)).toEqual([]);
    expect(web.browser.departures).toEqual([]);
  });
});

const chatOf = ({ page }: Visit): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** One black pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
