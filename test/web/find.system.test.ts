/** Finding text inside a long chat, and printing the chat. */
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { importLongChat } from './long-chat.ts';
import { sharedWeb } from './open-page.ts';

const LONG = 60;

/** Runs in the page: the marked text, and whether it is inside the conversation on the screen. */
const MARKED = `(() => {
  const [range] = CSS.highlights.get('found-current') ?? [];
  if (!range) return null;
  const { top, bottom } = range.getBoundingClientRect();
  const box = document.querySelector('[role="log"]').getBoundingClientRect();
  return [range.toString(), top >= box.top && bottom <= box.bottom];
})()`;
/** Runs in the page: records what it prints in place of the dialog of the browser. */
const PRINT = `window.print = () => {
  const texts = [...document.querySelectorAll('[role="log"] article')].map(each => each.textContent);
  globalThis.printed = texts.join('\\n').match(/(?:Question|Answer)\\d+/g);
};`;
/** Runs in the page: records which presses of a key the page takes from the browser. */
const WATCH = `globalThis.taken = [];
addEventListener('keydown', event => { if (event.key === 'f') taken.push(event.defaultPrevented); });`;

describe.skipIf(noBrowser)('in Chromium', () => {
  const web = sharedWeb();

  test('[WEB-15] finds text in messages that are neither on the screen nor loaded', async () => {
    const id = await importLongChat(web, LONG, 'The **quick** brown\nfox, and a fox.');
    const { page, log, button, pick } = await web.visit(`/chats/${id}`);
    await log.getByText('quick').waitFor();
    await pick(button('Chat actions'), 'Find in chat');
    const bar = page.getByRole('search', { name: 'Find in chat' });
    const field = bar.getByRole('searchbox', { name: 'Find in chat' });
    const marked = () => page.evaluate(MARKED);
    // Across elements and lines, and through a page of older messages.
    await field.fill('QUICK brown fox');
    await expect.poll(marked).toEqual(['quick brown\nfox', true]);
    await field.fill('fox');
    await bar.getByText('1 of 2+').waitFor();
    await button('Newer result').click();
    await field.fill('Question0');
    await expect.poll(marked).toEqual(['Question0', true]);
    await bar.getByText('1 of 1', { exact: true }).waitFor();
    await field.fill('question5');
    // Question5 and 50 to 59, newest first. Enter leads to the next older one.
    await bar.getByText('1 of 11', { exact: true }).waitFor();
    await field.press('Enter');
    await bar.getByText('2 of 11', { exact: true }).waitFor();
    expect(await log.getByText('Question58', { exact: true }).isVisible()).toBe(true);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await bar.getByText('11 of 11', { exact: true }).waitFor();
    await expect.poll(() => log.getByText('Question5', { exact: true }).isVisible()).toBe(true);
    await field.fill('no such text');
    await bar.getByText('No results').waitFor();
    await field.press('Escape');
    await bar.waitFor({ state: 'detached' });
    expect(await page.evaluate('CSS.highlights.size')).toBe(0);
  });

  test('[WEB-15] opens the bar with Ctrl+F, and the find of the browser with a second Ctrl+F', async () => {
    const id = await importLongChat(web, 2);
    const { page, log } = await web.visit(`/chats/${id}`);
    await log.getByText('Question1').waitFor();
    await page.evaluate(WATCH);
    await page.keyboard.press('Control+f');
    await page.locator('.find-bar input:focus').waitFor();
    await page.keyboard.press('Control+f');
    expect(await page.evaluate('taken')).toEqual([true, false]);
  });

  test('[WEB-15] prints the whole chat, without controls, and then shows the same as before', async () => {
    const id = await importLongChat(web, LONG);
    const { page, log } = await web.visit(`/chats/${id}`);
    const last = log.getByText(`Answer${LONG - 1}.`);
    const first = log.getByText('Question0', { exact: true });
    const missing = log.getByText('The older messages of this chat are not printed.');
    await last.waitFor();
    // The browser's own command: what is loaded, more than the screen shows.
    const pdf = await page.pdf({ format: 'A4' });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(4);
    await page.emulateMedia({ media: 'print' });
    await missing.waitFor();
    expect(await first.count()).toBe(0);
    for (const name of ['Chat actions', 'Send', 'New chat']) {
      expect(await page.getByRole('button', { name, exact: true }).isVisible(), name).toBe(false);
    }
    await page.getByRole('heading', { name: 'Long', level: 1 }).waitFor();
    await page.emulateMedia({ media: null });
    await expect.poll(() => missing.count()).toBe(0);
    await page.evaluate(PRINT);
    await page.keyboard.press('Control+p');
    const wanted = Array.from({ length: LONG }, (_, n) => [`Question${n}`, `Answer${n}`]).flat();
    await expect.poll(() => page.evaluate('globalThis.printed')).toEqual(wanted);
    await last.waitFor();
    await expect.poll(() => first.count()).toBe(0);
  });
});
