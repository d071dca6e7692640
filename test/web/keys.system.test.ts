/** Use by keyboard: the palette, the list of keys, and the links past the navigation. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { keyNames, SHORTCUTS } from '../../apps/web/src/base/shortcuts.ts';
import { noBrowser } from '../browser/chromium.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb, type Visit } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let id: string;
  let visited: Visit;
  const web = sharedWeb();
  beforeEach(async () => {
    const { client, upstream } = web.kernel;
    ({ id } = await client.createChat({ title: 'Herons' }));
    upstream.next(says('They wade.'));
    await client.say(id, 'Tell me.');
    visited = await web.visit(`/chats/${id}`);
    await visited.log.getByText('They wade.').waitFor();
    return () => client.deleteChat(id);
  });

  const dialog = (name: string) => visited.page.getByRole('dialog', { name, exact: true });
  const press = (keys: string) => visited.page.keyboard.press(keys);
  /** Opens the palette and types. */
  async function find(words: string): Promise<void> {
    await press('Control+k');
    await dialog('Commands').getByRole('combobox').fill(words);
  }
  /** Returns what names the element that has the focus. */
  const focused = () =>
    visited.page.evaluate(
      '(({ id, ariaLabel, textContent }) => ariaLabel ?? (id || textContent))(document.activeElement)',
    );
  async function run(words: string): Promise<void> {
    await find(words);
    await options().first().waitFor();
    await press('Enter');
  }
  const options = () => dialog('Commands').getByRole('option');

  test('[WEB-11] the palette runs the commands of the chat', async () => {
    const { client } = web.kernel;
    await run('rename');
    const rename = dialog('Rename');
    await rename.getByRole('textbox').fill('Egrets');
    await press('Enter');
    await expect.poll(async () => (await client.getChat(id)).title).toBe('Egrets');
    await rename.waitFor({ state: 'detached' });
    await run('export');
    await dialog('Export').waitFor();
    await press('Escape');
    await run('effort high');
    await expect.poll(async () => (await client.getChat(id)).effort).toBe('high');
    const [model] = (await client.listModels()).models;
    await run(`model ${model?.name}`);
    await expect.poll(async () => (await client.getChat(id)).model).toBe(model?.id);
    await run('fork');
    await dialog('Fork from here').waitFor();
  });

  test('[WEB-11] the palette selects by arrows, and finds pages, and chats that the page has not loaded', async () => {
    const { client } = web.kernel;
    const old = await client.createChat({ title: 'Old thoughts on Rembrandt' });
    await find('zzz');
    await dialog('Commands').getByText('No results').waitFor();
    await press('Escape');
    await press('Control+k');
    for (const name of ['Rename this chat', 'Compact the conversation', 'New chat', 'Usage']) {
      await options().filter({ hasText: name }).first().waitFor();
    }
    const search = dialog('Commands').getByRole('combobox');
    const selected = dialog('Commands').getByRole('option', { selected: true });
    const first = await selected.getAttribute('id');
    expect(await search.getAttribute('aria-activedescendant')).toBe(first);
    await press('ArrowDown');
    expect(await selected.getAttribute('id')).not.toBe(first);
    await press('ArrowUp');
    await press('ArrowUp');
    expect(await selected.textContent()).toMatch('Keyboard shortcuts');
    await search.fill('mach');
    await press('Enter');
    await visited.page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
    await run('thoughts rembrandt');
    await expect.poll(() => visited.page.url()).toContain(old.id);
    await client.deleteChat(old.id);
  });

  test('[WEB-11] lists every key of the table on ?, except while the user types', async () => {
    const { page, message } = visited;
    await message.focus();
    await page.keyboard.type('Really?');
    expect(await message.inputValue()).toBe('Really?');
    expect(await dialog('Keyboard shortcuts').count()).toBe(0);
    await visited.log.focus();
    await page.keyboard.type('?');
    const list = dialog('Keyboard shortcuts');
    await list.waitFor();
    const guide = readFileSync(new URL('../../docs/web.md', import.meta.url), 'utf8');
    for (const { keys, about } of Object.values(SHORTCUTS)) {
      const row = list.locator('dl > div', { has: page.getByText(about, { exact: true }) });
      expect(await row.locator('kbd').allTextContents()).toEqual(keyNames(keys));
      expect(guide).toContain(`| ${keyNames(keys).join('+')} | `);
    }
    for (const label of ['Allow once', 'Deny']) await list.getByText(label, { exact: true }).waitFor();
    await press('Control+k');
    await dialog('Commands').waitFor();
    await list.waitFor({ state: 'detached' });
  });

  test('[WEB-11] Ctrl+Shift+O starts a chat, and Shift+Esc focuses the message box without denying', async () => {
    const { client, upstream } = web.kernel;
    const { page, message, log } = visited;
    await log.focus();
    await press('Shift+Escape');
    await expect.poll(focused).toBe('Message');
    upstream.next(
      calls('k1', 'ask_questions', {
        questions: [{ question: 'Which?', header: 'Color', options: [{ label: 'A' }, { label: 'B' }] }],
      }),
      says('I see.'),
    );
    await visited.say('Ask.');
    await dialog('Color').waitFor();
    await press('Shift+Escape');
    await page.keyboard.type('Wait.');
    expect(await message.inputValue()).toBe('Wait.');
    expect(await dialog('Color').count()).toBe(1);
    await press('Control+Shift+O');
    await page.getByRole('heading', { name: 'New chat', level: 1 }).waitFor();
    await page.keyboard.type('Here.');
    expect(await message.inputValue()).toBe('Here.');
    await client.cancelTurn(id);
  });

  test('[WEB-11] Tab reaches the links past the navigation first', async () => {
    const { page } = visited;
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('Skip to conversation').focus();
    expect((await link('Skip to conversation').boundingBox())?.width).toBeGreaterThan(100);
    await press('Enter');
    expect(await focused()).toBe('Conversation');
    expect((await link('Skip to conversation').boundingBox())?.width).toBeLessThan(2);
    await link('Skip to message box').focus();
    await press('Enter');
    expect(await focused()).toBe('Message');
    expect(new URL(page.url()).hash).toBe('');
    await page.goto(`${web.kernel.url}/usage`);
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    await press('Enter');
    expect(await focused()).toBe('Usage');
    expect(await link('Skip to message box').count()).toBe(0);
  });
});
