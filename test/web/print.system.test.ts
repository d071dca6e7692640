/** Printing a chat. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { importLongChat } from './long-chat.ts';
import { startWeb, type Web } from './open-page.ts';

const TURNS = 60;

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web?.stop());

  test('[WEB-15] prints the whole chat, without controls, and then shows the same as before', async () => {
    const id = await importLongChat(web, TURNS);
    const { page, log } = await web.visit(`/chats/${id}`);
    await log.getByText(`Answer${TURNS - 1}.`).waitFor();
    const first = log.getByText('Question0', { exact: true });
    expect(await first.count()).toBe(0);
    const pdf = await page.pdf({ format: 'A4' });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(8);
    await expect.poll(() => first.count()).toBe(0);
    await log.getByText(`Answer${TURNS - 1}.`).waitFor();
    await page.emulateMedia({ media: 'print' });
    await first.waitFor();
    const words = (await log.locator('article').allTextContents())
      .join('\n')
      .match(/(?:Question|Answer)\d+/g);
    const wanted = Array.from({ length: TURNS }, (_, n) => [`Question${n}`, `Answer${n}`]).flat();
    expect(words).toEqual(wanted);
    for (const name of ['Chat actions', 'Send', 'New chat']) {
      expect(await page.getByRole('button', { name, exact: true }).isVisible(), name).toBe(false);
    }
    await page.getByRole('heading', { name: 'Long', level: 1 }).waitFor();
  });
});
