/** Every control of the page is large enough for a finger (WEB-10), on the smallest phone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser, PHONE } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { PATIENT } from '../harness/patient.ts';
import { calls, held, says } from '../harness/story.ts';
import { startWeb, type Visit, type Web, watchLoads } from './open-page.ts';

/**
 * Returns the visible controls that are smaller than 44 by 44 pixels, or narrower than their text. A link in a sentence
 * may be as low as its line.
 */
const SMALL = `(() => {
  const controls = 'button, label.button, a[href], input, select, textarea, summary, '
    + '[role=button], [role=link], [role=option], [role=menuitem], [role=checkbox], [role=radio], [role=tab], [role=switch]';
  const isInSentence = element => element.matches('a') && getComputedStyle(element).display === 'inline'
    && element.parentElement.textContent.trim() !== element.textContent.trim();
  return [...document.querySelectorAll(controls)].flatMap(element => {
    const { width, height } = element.getBoundingClientRect();
    if (width === 0 || element.matches('.unseen, .skip-links a:not(:focus)') || !element.checkVisibility({ visibilityProperty: true }) || isInSentence(element)) return [];
    const isCut = element.matches('button') && element.scrollWidth > element.clientWidth + 1;
    if (width >= 43.9 && height >= 43.9 && !isCut) return [];
    const name = element.ariaLabel || element.textContent.trim().slice(0, 30) || element.type;
    return [element.localName + ' "' + name + '" ' + Math.round(width) + ' x ' + Math.round(height) + (isCut ? ', cut' : '')];
  });
})()`;

const ANSWER = `See [the page](https://example.org) of it.

\`\`\`ts
let a;
\`\`\`

| a | b |
|---|---|
| c | d |

- [ ] one
- [x] two
`;

describe.skipIf(noBrowser)('in Chromium, on a phone', () => {
  let web: Web;
  let visited: Visit;
  let chat: string;
  const directory = temporaryDirectory();
  beforeAll(async () => {
    const voice = { transcription_model: 'scripted/hears', speech_model: 'scripted/speaks' };
    web = await startWeb({ settings: { voice } });
    const { client, upstream } = web.kernel;
    await client.addMemory({ text: 'Likes tea.' });
    await client.resolvePerson({ surface: 'mail', external_id: 'ada@example.org' });
    await client.resolvePerson({ surface: 'mail', external_id: 'bob@example.org' });
    await client.createSchedule({ text: 'News?', cron: '0 8 * * *' });
    chat = (await client.createChat({ title: 'Touched', workdir: directory.path, workdir_on: 'server' })).id;
    const tasks = [{ title: 'First', status: 'in_progress' }];
    upstream.next(
      {
        steps: [
          { thinking: 'Hm.' },
          { text: 'I look.' },
          { call: { id: 'c1', name: 'plan', input: { tasks } } },
        ],
      },
      calls('c2', 'read_file', { files: [{ path: 'missing' }] }),
      says(ANSWER),
    );
    await client.say(chat, 'Show.');
    visited = await web.visit(`/chats/${chat}`, PHONE);
  });
  afterAll(async () => {
    await web?.stop();
    directory.remove();
  });
  beforeEach(async () => {
    await visited.page.goto(`${web.kernel.url}/chats/${chat}`);
    await visited.log.getByText('of it.').waitFor();
  });

  /** Polls, because parts of a page load after it. */
  const expectLarge = (what: string) =>
    expect.poll(() => visited.page.evaluate(SMALL), { message: what }).toEqual([]);
  const expectNarrow = async (what: string) =>
    expect(await visited.page.evaluate('document.documentElement.scrollWidth'), what).toBe(360);

  test('[WEB-6] [WEB-10] fits 360 pixels, with controls of 44 by 44, on every page', PATIENT, async () => {
    const { page, button, log } = visited;
    await expectLarge('the chat');
    for (const summary of await log.locator('summary').all()) await summary.tap();
    await expectLarge('open rows');
    await expectNarrow('the chat');
    const nav = page.getByRole('navigation', { name: 'Chats' });
    expect(await nav.isVisible()).toBe(false);
    await button('Menu').tap();
    await nav.getByRole('link', { name: 'Touched' }).waitFor();
    await expectLarge('the navigation');
    await nav.getByRole('searchbox').fill('tea');
    await expectLarge('the search');
    const pages = await nav
      .locator('.pages a')
      .evaluateAll(all => all.map(each => (each as unknown as URL).href));
    expect(pages.length).toBeGreaterThan(5);
    const loaded = watchLoads(page);
    for (const address of [`${web.kernel.url}/`, ...pages]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loaded();
      for (const summary of await page.locator('.page-body summary').all()) await summary.tap();
      await expectLarge(address);
      await expectNarrow(address);
    }
  });

  test('[WEB-10] gives each control 44 by 44 pixels in every dialog', PATIENT, async () => {
    const { page, button, articles } = visited;
    const dialog = page.getByRole('dialog');
    const shown = async (what: string) => {
      await dialog.waitFor();
      await expectLarge(what);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    await button('Chat actions').tap();
    await expectLarge('the menu of the chat');
    await page.keyboard.press('Escape');
    for (const name of ['Rename', 'Notebook', 'Summary', 'Usage', 'Chat settings', 'Export', 'Delete']) {
      await visited.pick(button('Chat actions'), name);
      await shown(name);
    }
    for (const name of ['Fork from here', 'Rewind to here']) {
      await visited.pick(button('Actions', articles('user_message')), name);
      await shown(name);
    }
    await page.keyboard.press('Control+k');
    await shown('the palette');
    await page.goto(`${web.kernel.url}/schedules`);
    await button('Add schedule').tap();
    await button('Allow a tool').tap();
    await shown('a schedule');
  });

  test('[WEB-10] gives each control 44 by 44 pixels in requests, and while a turn runs', async () => {
    const { page, button, say } = visited;
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({
      title: 'Asked',
      workdir: directory.path,
      workdir_on: 'server',
      consent: 'ask',
    });
    await page.goto(`${web.kernel.url}/chats/${id}`);
    const dialog = page.getByRole('dialog');
    upstream.next(calls('s1', 'shell', { commands: ['touch never'] }), says('So be it.'));
    await say('Run it.');
    await dialog.waitFor();
    await expectLarge('an approval');
    await button('Deny', dialog).tap();
    await visited.idle();
    const options = [{ label: 'A', description: 'The first.' }, { label: 'B' }];
    const questions = [{ question: 'Which?', header: 'Color', options }];
    const gate = held({ text: 'Done.' });
    upstream.next(calls('q1', 'ask_questions', { questions }), gate.reply, says('Seen.'));
    await say('Ask.');
    await dialog.waitFor();
    await expectLarge('a question');
    await button('Discuss', dialog).tap();
    await button('Stop').waitFor();
    await say('And this.');
    await button('Take back').waitFor();
    await expectLarge('a running turn');
    gate.go();
    await visited.idle();
  });

  test('[WEB-10] gives each control 44 by 44 pixels in the token prompt', async () => {
    const { page } = visited;
    await page.route('**/v1/**', route =>
      route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: 'No.' } } }),
    );
    await page.goto(web.kernel.url);
    await page.getByRole('textbox', { name: 'Access token' }).waitFor();
    await expectLarge('the token prompt');
    await page.unroute('**/v1/**');
  });
});
