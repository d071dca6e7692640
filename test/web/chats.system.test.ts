/** Chat actions: search, rename, fork, rewind, compact, export and delete. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb, type Visit } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  let id: string;
  const web = sharedWeb();
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

  test('[WEB-2] renames a chat, and shows the new name of another client', async () => {
    await chatMenu('Rename');
    const dialog = page.page.getByRole('dialog', { name: 'Rename' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('The old harbour');
    await page.button('Save', dialog).click();
    const named = (name: RegExp) =>
      page.page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name }).waitFor();
    await named(/The old harbour/);
    expect((await web.kernel.client.getChat(id)).title).toBe('The old harbour');
    await web.kernel.client.patchChat(id, { title: 'The new harbour' });
    await named(/The new harbour/);
  });

  test('[WEB-2] finds messages, and opens the selected one', async () => {
    const nav = page.page.getByRole('navigation', { name: 'Chats' });
    await nav.getByRole('searchbox', { name: 'Search' }).fill('lighthouse');
    await nav
      .getByRole('link', { name: /lighthouse/ })
      .first()
      .click();
    await expect.poll(() => page.page.url()).toMatch(/\/chats\/[0-9a-f-]+#[0-9a-f-]+$/);
    await page.page.locator('article.target').getByText('It has a lighthouse.').waitFor();
  });

  test('[WEB-2] forks a chat before a message, and puts the message into the input', async () => {
    await itemMenu('Which colour?', 'Fork from here');
    const dialog = page.page.getByRole('dialog', { name: 'Fork from here' });
    await page.button('Fork', dialog).click();
    await expect.poll(() => page.page.url()).not.toContain(id);
    await page.log.getByText('It has a lighthouse.').waitFor();
    expect(await page.message.inputValue()).toBe('Which colour?');
    expect(await page.articles('user_message').count()).toBe(1);
  });

  test('[WEB-3] shows what a rewind deletes, and puts the message into the input', async () => {
    await itemMenu('Which colour?', 'Rewind to here');
    const dialog = page.page.getByRole('dialog', { name: 'Rewind to here' });
    await dialog.getByText('2 items will leave the chat').waitFor();
    await dialog.getByText('It is red.').waitFor();
    await page.button('Rewind', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.log.getByText('It is red.').waitFor({ state: 'detached' });
    expect(await page.message.inputValue()).toBe('Which colour?');
    expect((await web.kernel.client.items(id)).length).toBe(2);
  });

  test('[WEB-3] [UNDO-2] lists the files that tools changed, and reverts them on request', async () => {
    const { client, upstream } = web.kernel;
    const workdir = directoryOfTest();
    const path = join(workdir, 'tide.txt');
    writeFileSync(path, 'low');
    const chat = await client.createChat({ title: 'Tides', workdir, workdir_on: 'server', consent: 'auto' });
    upstream.next(calls('w', 'write_file', { path, content: 'high' }), says('It is high.'));
    await client.say(chat.id, 'Which tide?');
    await page.page.goto(`${web.kernel.url}/chats/${chat.id}`);
    await page.log.getByText('It is high.').waitFor();
    await itemMenu('Which tide?', 'Rewind to here');
    const dialog = page.page.getByRole('dialog', { name: 'Rewind to here' });
    await dialog.getByText(`Restore: ${path}`).waitFor();
    writeFileSync(path, 'mine');
    await dialog.getByRole('checkbox', { name: 'Revert 1 file' }).check();
    await page.button('Rewind', dialog).click();
    await dialog.getByText(/Changed after the chat wrote them/).waitFor();
    expect(readFileSync(path, 'utf8')).toBe('mine');
    writeFileSync(path, 'high');
    await page.button('Rewind', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(readFileSync(path, 'utf8')).toBe('low');
    expect(await client.items(chat.id)).toEqual([]);
  });

  test('[WEB-2] compacts a chat, edits its summary, and exports all messages', async () => {
    web.kernel.upstream.next(says('# Summary\nA harbour with a lighthouse.'));
    await chatMenu('Compact');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).summary).not.toBe(null);
    await page.log.getByText('Conversation compacted').waitFor();
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

  test('[WEB-3] sets effort and model, and shows the usage', async () => {
    await page.page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).effort).toBe('high');
    await page.page.getByRole('combobox', { name: 'Model' }).selectOption('scripted/plain');
    await expect.poll(async () => (await web.kernel.client.getChat(id)).model).toBe('scripted/plain');
    await chatMenu('Usage');
    await page.page.getByRole('dialog', { name: 'Usage' }).getByText('for 2 turns').waitFor();
  });

  test('[WEB-2] deletes a chat', async () => {
    await chatMenu('Delete');
    await page.button('Delete', page.page.getByRole('dialog')).click();
    await expect.poll(() => new URL(page.page.url()).pathname).toBe('/');
    const { chats } = await web.kernel.client.listChats();
    expect(chats.some(chat => chat.id === id)).toBe(false);
  });
});
