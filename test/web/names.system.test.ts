/** Accessible names that screen readers and tests rely on. */
import { realpathSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, held, says } from '../harness/story.ts';
import { caddy, missing, nginx } from '../proxy/proxies.ts';
import { startWeb, type Visit, visit, type Web } from './open-page.ts';

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
    ({ id } = await client.createChat({ title: 'Named', workdir_on: 'server', consent: 'ask' }));
    upstream.next(says('Here I am.'));
    await client.say(id, 'Who is there?');
    page = await web.visit(`/chats/${id}`);
    await page.log.getByText('Here I am.').waitFor();
    return async () => {
      await page.page.context().close();
      await client.deleteChat(id);
    };
  });

  /** Returns the names of all menu entries, and closes the menu. */
  async function entriesOf(opener: Locator): Promise<string[]> {
    await opener.click();
    const menu = page.page.getByRole('menuitem');
    await menu.first().waitFor();
    const names = (await menu.allTextContents()).map(name => name.trim());
    await page.page.keyboard.press('Escape');
    await menu.first().waitFor({ state: 'detached' });
    return names;
  }
  const named = (role: Parameters<Locator['getByRole']>[0], name: string, within: Locator | Visit['page']) =>
    within.getByRole(role, { name, exact: true }).waitFor();

  test('[WEB-2] names the list of chats, the conversation and the message box', async () => {
    const nav = page.page.getByRole('navigation', { name: 'Chats', exact: true });
    await named('button', 'New chat', nav);
    await named('searchbox', 'Search', nav);
    await nav.getByRole('link', { name: /^Named/ }).waitFor();
    await named('log', 'Conversation', page.page);
    await named('textbox', 'Message', page.page);
    for (const name of ['Send', 'Attach']) await named('button', name, page.page);
    for (const name of ['Model', 'Effort', 'Machine']) await named('combobox', name, page.page);
    const items = await page.log
      .getByRole('article')
      .evaluateAll(all => all.map(each => ({ ...(each as unknown as { dataset: object }).dataset })));
    const kept = await web.kernel.client.items(id);
    expect(items).toEqual(kept.map(item => ({ kind: item.kind, status: item.status, itemId: item.id })));
  });

  test('[WEB-2] names the actions of a chat and of an item', async () => {
    const ofChat = await entriesOf(page.button('Chat actions'));
    for (const name of ['Rename', 'Delete', 'Export', 'Compact', 'Notebook', 'Summary']) {
      expect(ofChat).toContain(name);
    }
    const answer = page.articles('agent_message');
    await answer.hover();
    expect(await entriesOf(page.button('Actions', answer))).toEqual([
      'Copy',
      'Fork from here',
      'Rewind to here',
    ]);
  });

  test('[WEB-2] names Stop and Take back during a turn', async () => {
    const gate = held({ text: 'Done.' });
    web.kernel.upstream.next(gate.reply, says('Seen.'));
    await page.say('Take your time.');
    await named('button', 'Stop', page.page);
    await page.say('And this.');
    await named('button', 'Take back', page.articles('user_message').filter({ hasText: 'And this.' }));
    gate.go();
    await page.idle();
  });

  test('[WEB-2] shows requests as dialogs with a button for each decision', async () => {
    const { client, upstream } = web.kernel;
    await client.setWorkdir(id, { workdir: realpathSync(directoryOfTest()), workdir_on: 'server' });
    upstream.next(calls('n1', 'shell', { commands: ['touch never'] }), says('So be it.'));
    await page.say('Run it.');
    const operation = page.page.getByRole('dialog', { name: 'The model wants to run a command' });
    await operation.locator('pre').getByText('touch never', { exact: true }).waitFor();
    for (const name of ['Allow once', 'Allow for this session', 'Always allow', 'Deny', 'Close']) {
      await named('button', name, operation);
    }
    await page.button('Deny', operation).click();
    await page.idle();
    const questions = [{ question: 'Which?', header: 'Colour', options: [{ label: 'A' }, { label: 'B' }] }];
    upstream.next(calls('n2', 'ask_questions', { questions }), says('I see.'));
    await page.say('Ask.');
    const question = page.page.getByRole('dialog', { name: 'Colour', exact: true });
    await question.getByText('Which?', { exact: true }).waitFor();
    for (const name of ['Answer', 'Discuss', 'Answer in text']) await named('button', name, question);
    await page.button('Discuss', question).click();
    await page.idle();
  });

  test('[WEB-2] opens each page at its address, and has a Menu on narrow screens', async () => {
    for (const [path, name] of [
      ['/settings', 'Settings'],
      ['/modules', 'Modules'],
      ['/persons', 'People'],
      ['/videos', 'Videos'],
      ['/books', 'Books'],
      ['/usage', 'Usage'],
      ['/machines', 'Machines'],
      ['/memory', 'Memory'],
      ['/schedules', 'Schedules'],
      ['/permissions', 'Permissions'],
    ] as const) {
      await page.page.goto(web.kernel.url + path);
      await page.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      await named('link', name, page.page.getByRole('navigation', { name: 'Chats', exact: true }));
    }
    await page.page.setViewportSize({ width: 360, height: 740 });
    await page.page.goto(`${web.kernel.url}/settings`);
    await page.button('Menu').click();
    // The drawer has room for the chats: rarely used pages are behind More, until the user opens it for good.
    const nav = page.page.getByRole('navigation', { name: 'Chats', exact: true });
    await named('link', 'Usage', nav);
    expect(await nav.getByRole('link', { name: 'Videos' }).isVisible()).toBe(false);
    await nav.getByText('More', { exact: true }).click();
    await named('link', 'Videos', nav);
    await page.page.reload();
    await page.button('Menu').click();
    await named('link', 'Videos', nav);
    const [message] = await web.kernel.client.items(id);
    if (message?.kind !== 'user_message') throw new Error('no message');
    await page.page.goto(`${web.kernel.url}/chats/${id}#${message.message_id}`);
    await page.page.locator('article.target').getByText('Who is there?').waitFor();
  });

  test.skipIf(missing('nginx') && missing('caddy'))(
    '[WEB-2] names the controls of the token prompt',
    async () => {
      const proxy = await (missing('nginx') ? caddy : nginx).start(web.kernel.url);
      const stranger = await visit(web.browser, `${proxy.url}/`);
      await named('textbox', 'Access token', stranger.page);
      await named('checkbox', 'Keep on this device', stranger.page);
      await stranger.page.context().close();
      await proxy.stop();
    },
  );
});
