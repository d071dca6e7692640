/** Working directory, project and approvals of a chat, its plan, slash commands and skills. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { HandsClient } from '../harness/hands.ts';
import { calls, held, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  const skills = temporaryDirectory();
  let web: Web;
  let page: Visit;
  let id: string;
  beforeAll(async () => {
    mkdirSync(join(skills.path, 'brew'), { recursive: true });
    const skill = '---\nname: brew\ndescription: Makes tea.\n---\nBoil water.\n';
    writeFileSync(join(skills.path, 'brew', 'SKILL.md'), skill);
    web = await startWeb({ settings: { skills: { paths: [skills.path] } } });
  });
  afterAll(async () => {
    await web?.stop();
    skills.remove();
  });
  beforeEach(async () => {
    ({ id } = await web.kernel.client.createChat({ title: 'Work' }));
    page = await web.visit(`/chats/${id}`);
    await page.message.waitFor();
    return () => expect(surprising(page)).toEqual([]);
  });

  const chat = () => web.kernel.client.getChat(id);
  const command = async (name: string) => {
    await page.message.fill(`/${name}`);
    await page.page.getByRole('option', { name: `/${name}` }).waitFor();
    await page.message.press('Enter');
    expect(await page.message.inputValue()).toBe('');
  };

  test('[WEB-3] sets the machine of a chat, and its directory, project, tools and approvals in the chat settings', async () => {
    const workdir = realpathSync(directoryOfTest());
    await page.page.getByRole('combobox', { name: 'Machine' }).selectOption('server');
    await page.button('Set working directory').click();
    const details = page.page.getByRole('dialog', { name: 'Chat settings' });
    await details.getByRole('textbox', { name: 'Shelf' }).fill('');
    await page.button('Save', details).click();
    await details.getByRole('alert').getByText('shelf').waitFor();
    await details.getByRole('textbox', { name: 'Shelf' }).fill('sea');
    await details.getByRole('textbox', { name: 'Working directory' }).fill(workdir);
    await details.getByRole('textbox', { name: 'Project' }).fill('harbour');
    await details.getByRole('combobox', { name: 'Approvals' }).selectOption("Don't ask");
    await details.getByRole('checkbox', { name: /^agents/ }).uncheck();
    await details.getByRole('combobox', { name: 'Auto-compact' }).selectOption('tight');
    await page.button('Save', details).click();
    await details.waitFor({ state: 'detached' });
    expect(await chat()).toMatchObject({
      compaction: 'tight',
      toolset: { disabled: ['agents'] },
      shelf: 'sea',
      workdir,
      workdir_on: 'server',
      project: 'harbour',
      consent: 'auto',
    });
    await page.page.getByRole('heading', { level: 1 }).getByText(workdir).waitFor();
  });

  test('[WEB-3] shows the progress of a plan, and clears it', async () => {
    const { client, upstream } = web.kernel;
    const tasks = [
      { title: 'Look', status: 'completed' },
      { title: 'Write', status: 'in_progress' },
    ];
    upstream.next(calls('p1', 'plan', { tasks }), says('Half done.'));
    await page.say('Plan it.');
    const plan = page.page.locator('details.plan');
    await plan.getByText('1/2').waitFor();
    await page.page.getByRole('img', { name: '1 of 2 tasks done' }).waitFor();
    await plan.locator('summary').click();
    await page.idle();
    await page.button('Clear plan', plan).click();
    await plan.waitFor({ state: 'detached' });
    expect((await client.getPlan(id)).tasks).toEqual([]);
  });

  test('[WEB-3] /drop stops the running turn and the queued turns', async () => {
    const gate = held({ text: 'never said' });
    web.kernel.upstream.next({ steps: [{ text: 'A beginning.' }, ...(gate.reply.steps ?? [])] });
    await page.say('Go.');
    await page.log.getByText('A beginning.').waitFor();
    for (const text of ['One more.', 'And one more.']) {
      await page.say(text);
      await page.button('Take back', page.articles('user_message').filter({ hasText: text })).waitFor();
    }
    await command('drop');
    await page.idle();
    await expect.poll(async () => (await chat()).turn).toBeNull();
    await expect.poll(() => page.button('Take back').count()).toBe(0);
    gate.go();
  });

  test('[WEB-3] /sleep queues turns, and /wake resumes them', async () => {
    await command('sleep');
    await page.page.getByText('Chat Kernel is asleep').waitFor();
    web.kernel.upstream.next(says('Good morning.'));
    await page.say('Are you awake?');
    await page.log.getByRole('status').getByText('Sleeping').waitFor();
    await command('wake');
    await page.log.getByText('Good morning.').waitFor();
    await page.page.getByText('Chat Kernel is asleep').waitFor({ state: 'detached' });
  });

  test('[WEB-3] /export saves all items as JSON Lines, and Copy copies a response', async () => {
    web.kernel.upstream.next(says('It has a lighthouse.'));
    await page.say('What does the harbour have?');
    await page.log.getByText('It has a lighthouse.').waitFor();
    await page.idle();
    await command('export');
    const [download] = await Promise.all([
      page.page.waitForEvent('download'),
      page.page.getByRole('button', { name: /JSON Lines/ }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map(line => JSON.parse(line)).filter(({ kind }) => kind === 'agent_message')).toMatchObject([
      { text: 'It has a lighthouse.' },
    ]);
    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const answer = page.articles('agent_message');
    await answer.hover();
    await page.pick(page.button('Actions', answer), 'Copy');
    await expect
      .poll(() => page.page.evaluate('navigator.clipboard.readText()'))
      .toBe('It has a lighthouse.');
  });

  test('[WEB-3] offers only Deny for an operation of another client, and marks the chat in the list', async () => {
    const { api, client, upstream } = web.kernel;
    const workdir = realpathSync(directoryOfTest());
    await client.setWorkdir(id, { workdir, workdir_on: 'client' });
    const hands = new HandsClient(api, { directory: workdir, client_id: 'desk', decide: () => 'ignore' });
    upstream.next(calls('s1', 'shell', { commands: ['touch never'] }), says('So be it.'));
    const turn = await hands.begin(id, { text: 'Do it.' });
    const dialog = page.page.getByRole('dialog');
    await dialog.getByText("on another client's machine").waitFor();
    expect(await dialog.locator('.command').textContent()).toContain('touch never');
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['', 'Deny n']);
    const link = page.page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: /^Work/ });
    await link.filter({ hasText: 'needs input' }).waitFor();
    await page.button('Deny', dialog).click();
    await page.log.getByText('So be it.').waitFor();
    await turn.leave();
    expect(JSON.stringify(upstream.requests.at(-1)?.body.messages.at(-1))).toContain('declined');
  });

  test('[SKILL-1] [WEB-3] /name requests a skill, with or without further text', async () => {
    const { client, upstream } = web.kernel;
    upstream.next(says('Boiling.'), says('Green it is.'));
    await page.message.fill('/br');
    await page.page.getByRole('option', { name: '/brew Makes tea.' }).waitFor();
    await page.message.press('Enter');
    await page.log.getByText('Boiling.').waitFor();
    await page.idle();
    await page.say('/brew green tea');
    await page.log.getByText('Green it is.').waitFor();
    const said = (await client.items(id)).flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
    expect(said).toEqual(['Use the skill brew.', 'Use the skill brew: green tea']);
    // Other text after a slash is a message.
    upstream.next(says('What?'));
    await page.say('/stew');
    await page.log.getByText('What?').waitFor();
    expect((await client.items(id)).some(item => item.kind === 'user_message' && item.text === '/stew')).toBe(
      true,
    );
  });
});
