/** Books: attached, added to a shelf by the model, renamed, moved and deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pdfOf } from '../../packages/features/test/books/files.ts';
import { noBrowser } from '../browser/chromium.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

const WAVES = pdfOf(['The harbour at dawn.', 'Waves break on the mole.'], {
  info: '/Title (Waves) /Author (Ann)',
});

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let page: Visit;
  beforeAll(async () => {
    web = await startWeb();
    page = await web.visit();
  });
  afterAll(() => web?.stop());
  afterEach(async () => {
    for (const { id } of await books()) await web.kernel.client.deleteBook(id);
  });

  const books = async () => (await web.kernel.client.listBooks()).books;
  const rows = () => page.page.getByRole('region', { name: 'Books' }).getByRole('listitem');

  /** Creates a chat on the shelf `sea` that has the book tools. */
  const seaChat = () =>
    web.kernel.client.createChat({ title: 'Sea', shelf: 'sea', toolset: { loaded: ['books'] } });

  test('[WEB-3] adds an attached file as a book, and shows it on other pages at once', async () => {
    const { upstream } = web.kernel;
    const shelf = await web.visit('/books');
    await shelf.page.getByText('No books yet.').waitFor();
    const { id } = await seaChat();
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    const uploaded = page.page.waitForResponse(response => response.url().endsWith('/v1/files'));
    await page.page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'waves.pdf', mimeType: 'application/pdf', buffer: WAVES });
    const { id: file_id } = await (await uploaded).json();
    upstream.next(calls('b1', 'books_upload', { file_id }), says('It stands on the shelf.'));
    await page.say('Shelve it.');
    await page.log.getByText('It stands on the shelf.').waitFor();
    const row = shelf.page.getByRole('region', { name: 'Books' }).getByRole('listitem');
    await row.getByText('Ann pdf · 2 pages').waitFor();
    expect(await row.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Waves');
    expect(await row.getByRole('textbox', { name: 'Shelf' }).inputValue()).toBe('sea');
    await shelf.page.context().close();
  });

  test('[WEB-3] renames and moves a book, and deletes it after a confirmation', async () => {
    const { client, upstream } = web.kernel;
    const file = { name: 'waves.pdf', media_type: 'application/pdf', bytes: new Uint8Array(WAVES) };
    const { id: file_id } = await client.uploadFile(file);
    upstream.next(calls('b2', 'books_upload', { file_id }), says('It stands on the shelf.'));
    const { id } = await seaChat();
    await client.say(id, 'Shelve it.', { files: [{ id: file_id }] });
    await page.page.goto(`${web.kernel.url}/books`);
    const title = rows().getByRole('textbox', { name: 'Title' });
    await title.fill('Waves, second edition');
    await title.press('Tab');
    await expect.poll(books).toMatchObject([{ title: 'Waves, second edition', shelf: 'sea' }]);
    const shelf = rows().getByRole('textbox', { name: 'Shelf' });
    await shelf.fill('harbour');
    await shelf.press('Tab');
    await expect.poll(books).toMatchObject([{ title: 'Waves, second edition', shelf: 'harbour' }]);
    const dialog = page.page.getByRole('dialog', { name: 'Delete this book?' });
    await page.button('Delete', rows()).click();
    await dialog.getByText('This permanently deletes Waves, second edition.').waitFor();
    await page.button('Cancel', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await books()).toHaveLength(1);
    await page.button('Delete', rows()).click();
    await page.button('Delete', dialog).click();
    await page.page.getByText('No books yet.').waitFor();
    expect(await books()).toEqual([]);
    expect(surprising(page)).toEqual([]);
  });
});
