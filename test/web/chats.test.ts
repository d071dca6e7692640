/** What can be done with chats in the page: found, named, branched, cut, exported, deleted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let page: Visit;
  let id: string;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web?.stop());
  beforeEach(async () => {
    const { client, upstream } = web.kernel;
    ({ id } = await client.createChat({ title: 'Harbour' }));
    upstream.next(says('It has a lighthouse.'), says('It is red.'));
    await client.say(id, 'What does the harbour have?');
    await client.say(id, 'Which colour?');
    page = await web.visit(`/chats/${id}`);
    await page.log.getByText('It is red.').waitFor();
  });

  const chatMenu = (entry: string) => page.pick(page.button('Chat actions'), entry);
  const itemMenu = async (text: string, entry: string) => {
    const article = page.articles().filter({ hasText: text });
    await article.hover();
    await page.pick(page.button('Actions', article), entry);
  };

  test('[WEB-2] a chat is renamed, on every page that shows it', async () => {
    const other = await web.visit();
    await chatMenu('Rename');
    const dialog = page.page.getByRole('dialog', { name: 'Rename' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('The old harbour');
    await page.button('Save', dialog).click();
    await other.page
      .getByRole('navigation', { name: 'Chats' })
      .getByRole('link', { name: /The old harbour/ })
      .waitFor();
    expect((await web.kernel.client.getChat(id)).title).toBe('The old harbour');
  });

  test('[WEB-2] a search finds messages, and goes to the one that is picked', async () => {
    const nav = page.page.getByRole('navigation', { name: 'Chats' });
    await nav.getByRole('searchbox', { name: 'Search' }).fill('lighthouse');
    await nav
      .getByRole('link', { name: /lighthouse/ })
      .first()
      .click();
    await expect.poll(() => page.page.url()).toMatch(/\/chats\/[0-9a-f-]+#[0-9a-f-]+$/);
    await page.page.locator('article.target').getByText('It has a lighthouse.').waitFor();
  });

  test('[WEB-2] a branch has what stood before, and the words of the message are in its input', async () => {
    await itemMenu('Which colour?', 'Fork from here');
    const dialog = page.page.getByRole('dialog', { name: 'Fork from here' });
    await page.button('Fork', dialog).click();
    await expect.poll(() => page.page.url()).not.toContain(id);
    await page.log.getByText('It has a lighthouse.').waitFor();
    expect(await page.message.inputValue()).toBe('Which colour?');
    expect(await page.articles('user_message').count()).toBe(1);
  });

  test('[WEB-3] a rewind shows first what goes, and gives the words back', async () => {
    await itemMenu('Which colour?', 'Rewind to here');
    const dialog = page.page.getByRole('dialog', { name: 'Rewind to here' });
    await dialog.getByText('2 items go for good').waitFor();
    await dialog.getByText('It is red.').waitFor();
    await page.button('Rewind', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.log.getByText('It is red.').waitFor({ state: 'detached' });
    expect(await page.message.inputValue()).toBe('Which colour?');
    expect((await web.kernel.client.items(id)).length).toBe(2);
  });

  test('[WEB-3] [UNDO-2] a rewind names the files that tools have written, and puts them back where that is wanted', async () => {
    const { client, upstream } = web.kernel;
    const workdir = directoryOfTest();
    const path = join(workdir, 'tide.txt');
    writeFileSync(path, 'low');
    const chat = await client.createChat({ title: 'Tides', workdir, workdir_on: 'server', consent: 'auto' });
    upstream.next(calls('w', 'write_file', { path, content: 'high' }), says('It is high.'));
    await client.say(chat.id, 'Which tide?');
    page = await web.visit(`/chats/${chat.id}`);
    await page.log.getByText('It is high.').waitFor();
    await itemMenu('Which tide?', 'Rewind to here');
    const dialog = page.page.getByRole('dialog', { name: 'Rewind to here' });
    await dialog.getByText(`As it was before: ${path}`).waitFor();
    writeFileSync(path, 'mine');
    await dialog.getByRole('checkbox', { name: 'Undo the edits of 1 file' }).check();
    await page.button('Rewind', dialog).click();
    await dialog.getByText(/Changed since the chat wrote them/).waitFor();
    expect(readFileSync(path, 'utf8')).toBe('mine');
    writeFileSync(path, 'high');
    await page.button('Rewind', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(readFileSync(path, 'utf8')).toBe('low');
    expect(await client.items(chat.id)).toEqual([]);
  });

  test('[WEB-2] a chat is folded, its summary corrected, and all of it exported', async () => {
    web.kernel.upstream.next(says('# Summary\nA harbour with a lighthouse.'));
    await chatMenu('Compact');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).summary).not.toBe(null);
    await page.log.getByText('Older messages are folded').waitFor();
    await chatMenu('Summary');
    const summary = page.page.getByRole('dialog', { name: 'Summary' });
    await summary.getByRole('textbox', { name: 'Summary text' }).fill('A harbour.');
    await page.button('Save', summary).click();
    await summary.waitFor({ state: 'detached' });
    expect((await web.kernel.client.getChat(id)).summary?.text).toBe('A harbour.');
    await chatMenu('Export');
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.page.getByRole('button', { name: /Markdown/ }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('It has a lighthouse.');
  });

  test('[WEB-3] tools, folding and shelf of a chat are set in its details, its cost is shown', async () => {
    await chatMenu('Details');
    const details = page.page.getByRole('dialog', { name: 'Details' });
    await details.getByRole('checkbox', { name: /^agents/ }).uncheck();
    await details.getByRole('combobox', { name: 'Folding' }).selectOption('tight');
    await details.getByRole('textbox', { name: 'Shelf' }).fill('sea');
    await page.button('Save', details).click();
    await details.waitFor({ state: 'detached' });
    const chat = await web.kernel.client.getChat(id);
    expect(chat).toMatchObject({ compaction: 'tight', shelf: 'sea', toolset: { disabled: ['agents'] } });
    await page.page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).effort).toBe('high');
    await page.page.getByRole('combobox', { name: 'Model' }).selectOption('scripted/plain');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).model).toBe('scripted/plain');
    await page.page.getByRole('combobox', { name: 'Machine' }).selectOption('server');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).workdir_on).toBe('server');
    await chatMenu('Spend');
    await page.page.getByRole('dialog', { name: 'Spend' }).getByText('for 2 turns').waitFor();
  });

  test('[WEB-2] a chat is deleted, here and on other pages', async () => {
    const other = await web.visit(`/chats/${id}`);
    await chatMenu('Delete');
    await page.button('Delete', page.page.getByRole('dialog')).click();
    await expect.poll(() => new URL(page.page.url()).pathname).toBe('/');
    await other.page.getByText('This chat cannot be shown.').waitFor();
  });
});
