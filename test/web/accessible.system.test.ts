/** Accessibility: axe findings on every page, the names that screen readers and tests rely on, and use by keyboard only. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, type Visit, type Web, watchLoads } from './open-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Path → heading. */
const PAGES = {
  '/': 'New chat',
  '/settings': 'Settings',
  '/modules': 'Modules',
  '/machines': 'Machines',
  '/memory': 'Memory',
  '/persons': 'People',
  '/videos': 'Videos',
  '/books': 'Books',
  '/schedules': 'Schedules',
  '/permissions': 'Permissions',
  '/usage': 'Usage',
};

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

describe.skipIf(noBrowser)('in Chromium', () => {
  const directory = temporaryDirectory();
  let web: Web;
  let chat: string;
  /** A chat that waits for an approval. */
  let asking: string;
  beforeAll(async () => {
    // Enable voice models, so that the page shows its Record button too.
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
    await client.addMemory({ text: 'Drinks tea.' });
    await client.createSchedule({ text: 'What is on?', cron: '0 8 * * 1-5', timezone: 'UTC' });
    await client.say(chat, 'Show.');
    await client.say(chat, 'Plan.');
    asking = (
      await client.createChat({
        title: 'Asks',
        workdir: directory.path,
        workdir_on: 'server',
        consent: 'ask',
      })
    ).id;
    upstream.next(calls('run', 'shell', { commands: ['touch never'] }));
    await client.begin(asking, { text: 'Run it.', consents: true });
  });
  afterAll(async () => {
    await web?.kernel.client.cancelTurn(asking);
    await web?.stop();
    directory.remove();
  });

  /** Returns a page without animations that can run axe. */
  async function visitChat(id: string): Promise<Visit> {
    const visited = await web.visit(`/chats/${id}`);
    await visited.page.emulateMedia({ reducedMotion: 'reduce' });
    // Use the debugger, because the content security policy blocks injected scripts.
    const frame = await visited.page.context().newCDPSession(visited.page);
    await frame.send('Runtime.evaluate', { expression: AXE });
    return visited;
  }

  /**
   * Returns the violations at both widths. Colors do not depend on the width, and nothing else on the color scheme. A part has
   * the same content at both widths.
   * @param selector the part to check; absent: the whole page
   */
  async function violations({ page }: Visit, selector?: string): Promise<string[]> {
    const part = selector === undefined ? 'document' : JSON.stringify(selector);
    const found: Violation[] = [];
    for (const [width, colorScheme, options] of [
      [360, 'light', { rules: { 'color-contrast': { enabled: false } } }],
      [1440, 'light', selector === undefined ? {} : { runOnly: ['color-contrast'] }],
      [1440, 'dark', { runOnly: ['color-contrast'] }],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      await page.emulateMedia({ colorScheme });
      const run = `axe.run(${part}, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`;
      const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
      found.push(...violations.map(each => ({ ...each, id: `${each.id}, ${width} pixels, ${colorScheme}` })));
    }
    return found
      .filter(({ impact }) => impact !== 'minor')
      .map(
        ({ id, impact, nodes }) =>
          `${id} (${impact}): ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      );
  }

  /** Changes the page without loading it again. */
  const goTo = ({ page }: Visit, path: string) =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

  const named = (role: Parameters<Locator['getByRole']>[0], name: string, within: Locator | Visit['page']) =>
    within.getByRole(role, { name, exact: true }).waitFor();

  test('[WEB-6] has no moderate or serious axe findings on any page', PATIENT, async () => {
    const visited = await visitChat(chat);
    const { page, log } = visited;
    const loaded = watchLoads(page);
    await log.getByText('Planned.').waitFor();
    expect(await violations(visited), 'chat').toEqual([]);
    for (const [path, name] of Object.entries(PAGES)) {
      await goTo(visited, path);
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await loaded();
      expect(await violations(visited), path).toEqual([]);
    }
  });

  test('[WEB-6] has no moderate or serious axe findings in menus and requests', PATIENT, async () => {
    const visited = await visitChat(asking);
    const { page, button } = visited;
    const request = page.getByRole('dialog', { name: 'The model wants to run a command' });
    await request.waitFor();
    expect(await violations(visited), 'request').toEqual([]);
    await button('Chat actions').click();
    const entries = page.getByRole('menuitem');
    await entries.first().waitFor();
    expect(await violations(visited, '[role="menu"]'), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    await entries.first().waitFor({ state: 'detached' });
    // The key that closes the menu does not also deny the request.
    expect((await web.kernel.client.listRequests()).requests).toHaveLength(1);
  });

  test('[WEB-6] [WEB-11] has no moderate or serious axe findings in any dialog', PATIENT, async () => {
    const visited = await visitChat(chat);
    const { page, log, button, pick, articles } = visited;
    await log.getByText('Planned.').waitFor();
    const check = async (name: string) => {
      await page.getByRole('dialog', { name, exact: true }).waitFor();
      expect(await violations(visited, 'dialog'), name).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.keyboard.press('Control+k');
    await check('Commands');
    await log.focus();
    await page.keyboard.press('?');
    await check('Keyboard shortcuts');
    for (const name of ['Rename', 'Notebook', 'Summary', 'Usage', 'Chat settings', 'Export']) {
      await pick(button('Chat actions'), name);
      await check(name);
    }
    await pick(button('Chat actions'), 'Delete');
    await check('Delete this chat?');
    const question = articles('user_message').first();
    for (const name of ['Fork from here', 'Rewind to here']) {
      await question.hover();
      await pick(button('Actions', question), name);
      await check(name);
    }
    await goTo(visited, '/schedules');
    await button('Add schedule').click();
    await check('Add schedule');
    await goTo(visited, '/memory');
    await button('Delete all memories').click();
    await check('Delete all memories?');
  });

  test('[WEB-6] starts a chat and switches to another by keyboard only', async () => {
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

  test('[WEB-2] names the list of chats, the conversation and the message box', async () => {
    const { page, log } = await web.visit(`/chats/${chat}`);
    await log.getByText('Planned.').waitFor();
    const nav = page.getByRole('navigation', { name: 'Chats', exact: true });
    await named('button', 'New chat', nav);
    await named('searchbox', 'Search', nav);
    await nav.getByRole('link', { name: /^All kinds/ }).waitFor();
    await named('log', 'Conversation', page);
    await named('textbox', 'Message', page);
    for (const name of ['Send', 'Attach', 'Chat actions']) await named('button', name, page);
    for (const name of ['Model', 'Effort', 'Machine']) await named('combobox', name, page);
    const items = await log
      .getByRole('article')
      .evaluateAll(all => all.map(each => ({ ...(each as unknown as { dataset: object }).dataset })));
    const kept = await web.kernel.client.items(chat);
    expect(items).toEqual(kept.map(item => ({ kind: item.kind, status: item.status, itemId: item.id })));
  });

  test('[WEB-2] links each page, behind Menu and More on narrow screens, and opens a chat at a message', async () => {
    const { page, button } = await web.visit('/settings');
    const nav = page.getByRole('navigation', { name: 'Chats', exact: true });
    for (const name of Object.values(PAGES).slice(1)) await named('link', name, nav);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await button('Menu').click();
    // The drawer has room for the chats: rarely used pages are behind More, until the user opens it for good.
    await named('link', 'Usage', nav);
    expect(await nav.getByRole('link', { name: 'Videos' }).isVisible()).toBe(false);
    await nav.getByText('More', { exact: true }).click();
    await named('link', 'Videos', nav);
    await page.reload();
    await button('Menu').click();
    await named('link', 'Videos', nav);
    const [message] = await web.kernel.client.items(chat);
    if (message?.kind !== 'user_message') throw new Error('no message');
    await page.goto(`${web.kernel.url}/chats/${chat}#${message.message_id}`);
    await page.locator('article.target').getByText('Show.').waitFor();
  });
});
