/** The page for everybody: no serious finding of axe on any of its pages, a narrow screen, and the keyboard alone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = [
  '/',
  '/settings',
  '/modules',
  '/machines',
  '/memory',
  '/persons',
  '/videos',
  '/books',
  '/schedules',
  '/usage',
];

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let chat: string;
  beforeAll(async () => {
    // With all that a page can have: Record is there where a model hears.
    const voice = { transcription_model: 'scripted/hears', speech_model: 'scripted/speaks' };
    web = await startWeb({ settings: { voice } });
    const { client, upstream } = web.kernel;
    chat = (await client.createChat({ title: 'All kinds' })).id;
    upstream.next(
      {
        steps: [
          { thinking: 'Hm.' },
          {
            text: '# One\n\n- a\n- [b](https://example.org)\n\n```ts\nlet a;\n```\n\n| a | b |\n|---|---|\n| c | d |\n',
          },
        ],
      },
      calls('plan', 'plan', {
        tasks: [
          { title: 'First', status: 'in_progress' },
          { title: 'Then', status: 'pending' },
        ],
      }),
      says('Planned.'),
    );
    await client.say(chat, 'Show.');
    await client.say(chat, 'Plan.');
  });
  afterAll(() => web?.stop());

  async function serious({ page }: Visit): Promise<string[]> {
    // The browser's own hand: the policy of the page lets no script in.
    const frame = await page.context().newCDPSession(page);
    await frame.send('Runtime.evaluate', { expression: AXE });
    const { violations } = (await page.evaluate('axe.run(document)')) as { violations: Violation[] };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      );
  }

  test('[WEB-6] axe finds nothing serious, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await web.visit(`/chats/${chat}`);
      await page.page.emulateMedia({ colorScheme });
      await page.log.getByText('Planned.').waitFor();
      expect(await serious(page), `chat, ${colorScheme}`).toEqual([]);
      await page.button('Chat actions').click();
      await page.page.getByRole('menuitem', { name: 'Details' }).click();
      await page.page.getByRole('dialog', { name: 'Details' }).waitFor();
      expect(await serious(page), `details, ${colorScheme}`).toEqual([]);
      for (const path of PAGES) {
        await page.page.goto(web.kernel.url + path);
        await page.page.getByRole('heading', { level: 1 }).waitFor();
        await page.page.waitForTimeout(200);
        expect(await serious(page), `${path}, ${colorScheme}`).toEqual([]);
      }
      await page.page.context().close();
    }
  });

  test('[WEB-6] nothing is wider than a screen of 360 pixels, and the chats are behind Menu', async () => {
    const { page, button, log } = await web.visit(`/chats/${chat}`);
    await page.setViewportSize({ width: 360, height: 740 });
    await log.getByText('Planned.').waitFor();
    const isWide = () => page.evaluate('document.documentElement.scrollWidth > 360');
    expect(await isWide()).toBe(false);
    expect(await page.getByRole('navigation', { name: 'Chats' }).isVisible()).toBe(false);
    await button('Menu').click();
    await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'Usage' }).click();
    for (const path of PAGES) {
      await page.goto(web.kernel.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await isWide(), path).toBe(false);
    }
  });

  test('[WEB-6] a chat is begun, answered and left by the keyboard alone', async () => {
    web.kernel.upstream.next(says('By keys.'));
    const { page, log } = await web.visit();
    await page.keyboard.type('Only keys.');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('Two lines.');
    await page.keyboard.press('Enter');
    await log.getByText('By keys.').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('All kinds');
    await page.keyboard.press('Enter');
    await log.getByText('Planned.').waitFor();
  });
});
