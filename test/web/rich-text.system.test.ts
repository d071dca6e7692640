/** Rich text of answers: tables, formulas, footnotes, sections that fold, code, images. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { largePng } from '../harness/large-png.ts';
import { seed, seedChat } from '../harness/seed.ts';
import { startWeb, surprising, type Visit, type Web, watchLoads } from './open-page.ts';

const ANSWER = `
| Algorithm | Distributed | Centered | Right | Throughput | Complexity | Remarks |
| --- | --- | :---: | ---: | --- | --- | --- |
| Token bucket | yes | middle | 17 | high | constant | bursts |

Euler: \\(e^{i\\pi} + 1 = 0\\), and with words before it \\[ \\int_0^\\infty e^{-x^2}\\,dx \\] in one paragraph.

\\[
x = \\frac{a}{b}
- \\frac{c}{d}
\\]

It is known[^1] that [^0-9] matches no digit. See ![A map of the harbor](https://images.example/map.png) and
[![badge](https://images.example/badge.svg)](https://badges.example/).

<details>
<summary>The <b>long</b> version</summary>

- with a list
- and \`code\`

</details>

\`\`\`ts
const line = 'A line of code that is far wider than a phone, and wider than the column of a desktop, too: ${'x'.repeat(80)}';
\`\`\`

\`\`\`html
<p>A page</p>
\`\`\`

[^1]: By *everybody* at https://a-very-long-host-name-that-does-not-fit-on-one-line-of-a-phone.example/path

It costs $5 or $6.
`;
const IMAGE = largePng(1280, 720).toString('base64');

/** Returns what is cut off or reaches out of the conversation, except for content of its own scroll areas. */
const FAULTS = `(() => {
  const log = document.querySelector('[role="log"]');
  const { left, right } = log.getBoundingClientRect();
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  if (log.scrollWidth > log.clientWidth) faults.push('the conversation scrolls sideways');
  for (const each of log.querySelectorAll('article *')) {
    const box = each.getBoundingClientRect();
    const name = each.tagName + '.' + each.getAttribute('class') + ': ' + each.textContent.slice(0, 40);
    if (box.width === 0 || each.closest('.item-menu, .unseen')) continue;
    const scrolls = each.parentElement.closest('.table, pre, .formula');
    if (!scrolls && (box.left < left || box.right > right)) faults.push('outside: ' + name);
    const isCut = getComputedStyle(each).overflowX === 'hidden' && each.scrollWidth > each.clientWidth;
    if (isCut) faults.push('cut: ' + name);
  }
  return faults;
})()`;

describe.skipIf(noBrowser)('in Chromium', () => {
  const directory = temporaryDirectory();
  let web: Web;
  let page: Visit;
  let address: string;
  let loaded: () => Promise<void>;
  beforeAll(async () => {
    const image = { type: 'image', media_type: 'image/png', data: IMAGE } as const;
    const { chat } = await seed(directory.path, store =>
      seedChat(store, [
        ['user', [image, image, { type: 'text', text: 'Show everything.' }]],
        ['assistant', ANSWER],
      ]),
    );
    web = await startWeb({ dataDir: directory.path });
    page = await web.visit();
    loaded = watchLoads(page.page);
    address = `${web.kernel.url}/chats/${chat}`;
  });
  beforeEach(async () => {
    await page.page.setViewportSize({ width: 360, height: 3000 });
    await page.page.goto(address);
    await page.log.getByText('It costs').waitFor();
    // Formulas and images that arrive later move what a test clicks.
    await loaded();
  });
  afterAll(async () => {
    expect(surprising(page)).toEqual([]);
    await web?.stop();
    directory.remove();
  });

  const answer = () => page.articles('agent_message');

  test('[WEB-9] keeps words in a table whole, lets it scroll, and aligns its columns', async () => {
    const table = page.page.getByRole('region', { name: 'Table' });
    expect(await table.evaluate(each => each.scrollWidth > each.clientWidth)).toBe(true);
    const heights = await table
      .getByRole('columnheader')
      .evaluateAll(all => all.map(each => each.clientHeight));
    expect(new Set(heights).size).toBe(1);
    expect(heights[0]).toBeLessThan(40);
    const alignment = await table
      .getByRole('cell')
      .evaluateAll(all => all.map(each => getComputedStyle(each).textAlign));
    expect(alignment.slice(0, 4)).toEqual(['left', 'left', 'center', 'right']);
  });

  test('[WEB-9] draws formulas in all delimiters, and leaves prices', async () => {
    await expect.poll(() => answer().locator('math').count()).toBe(3);
    expect(await answer().locator('math[display="block"]').count()).toBe(2);
    await answer().getByText('It costs $5 or $6.').waitFor();
    const clipped = await answer()
      .locator('.formula')
      .evaluateAll(all => all.some(each => each.scrollHeight > each.clientHeight));
    expect(clipped).toBe(false);
  });

  test('[WEB-9] shows a footnote at its mark, and leaves marks without a text', async () => {
    const mark = page.button('Footnote 1');
    await mark.click();
    await page.page.getByRole('note').getByText('everybody').waitFor();
    await mark.click();
    await page.page.getByRole('note').waitFor({ state: 'detached' });
    await answer().getByText('[^0-9] matches no digit').waitFor();
    await answer().locator('.footnote').getByText('everybody').waitFor();
  });

  test('[WEB-9] folds sections', async () => {
    const inside = answer().getByText('with a list');
    expect(await inside.isVisible()).toBe(false);
    await answer().getByText('The long version').click();
    await inside.waitFor();
  });

  test('[WEB-9] copies code, and wraps its lines on request', async () => {
    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const code = answer().locator('figure.code').filter({ hasText: 'A line of code' });
    await page.button('Copy code', code).click();
    await expect.poll(() => page.page.evaluate('navigator.clipboard.readText()')).toContain('A line of code');
    const scrolls = () => code.locator('pre').evaluate(each => each.scrollWidth > each.clientWidth);
    expect(await scrolls()).toBe(true);
    await page.button('Wrap lines', code).click();
    await expect.poll(scrolls).toBe(false);
    await page.page.reload();
    await page.log.getByText('It costs').waitFor();
    expect(await scrolls()).toBe(false);
    await page.button('Wrap lines', code).click();
    await expect.poll(scrolls).toBe(true);
  });

  test('[WEB-9] opens images of a user in full view, and downloads them', async () => {
    const images = page.articles('user_message').getByRole('img', { name: /^Attachment/ });
    const sources = await images.evaluateAll(all => all.map(each => each.getAttribute('src')));
    expect(sources).toEqual([expect.stringMatching(/^blob:/), expect.stringMatching(/^blob:/)]);
    await page.button('Open image').nth(1).click();
    const view = page.page.getByRole('dialog', { name: 'Attachment 2 of 2: PNG image' });
    const image = view.getByRole('img');
    const widthOf = async () => (await image.boundingBox())!.width;
    await expect.poll(widthOf).toBeLessThanOrEqual(360);
    await view.getByRole('button', { name: 'Actual size' }).click();
    await expect.poll(widthOf).toBe(1280);
    const download = page.page.waitForEvent('download');
    await view.getByRole('link', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('attachment-2.png');
    expect(readFileSync(await saved.path()).toString('base64')).toBe(IMAGE);
    await page.page.keyboard.press('Escape');
    await view.waitFor({ state: 'detached' });
  });

  test('[WEB-9] [WEB-5] links images on other servers, and loads none', async () => {
    await answer().getByText('A map of the harbor').waitFor();
    const link = answer().getByRole('link', { name: 'Open on images.example' });
    expect(await link.getAttribute('href')).toBe('https://images.example/map.png');
    expect(await answer().getByRole('link', { name: 'badge' }).getAttribute('href')).toBe(
      'https://badges.example/',
    );
    expect(await answer().locator('img').count()).toBe(0);
    expect(page.requests.filter(each => each.includes('.example'))).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`[WEB-9] cuts no text at any width in the ${colorScheme} scheme`, async () => {
      await page.page.emulateMedia({ colorScheme });
      await page.button('Footnote 1').click();
      await answer().getByText('The long version').click();
      await page.button('Preview').click();
      await expect.poll(() => answer().locator('math').count()).toBe(3);
      for (const width of [360, 820, 1440]) {
        await page.page.setViewportSize({ width, height: 3000 });
        await expect.poll(() => page.page.evaluate(FAULTS), { message: `${width} pixels` }).toEqual([]);
      }
    });
  }
});
