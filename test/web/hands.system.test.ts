/** Connected machines in the page: listed, selected for a chat, and their operations approved. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { StandingBy } from '../harness/standing-by.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb, type Visit } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  let machine: StandingBy;
  let chat: string;
  const web = sharedWeb();
  beforeEach(async () => {
    machine = await StandingBy.open(web.kernel.api, 'laptop');
    machine.findNone().catch(() => {});
    const made = await web.kernel.client.createChat({ title: 'Work', workdir: '/garden', hands: 'laptop' });
    chat = made.id;
    page = await web.visit(`/chats/${chat}`);
  });
  afterEach(async () => {
    machine.leave();
    const { client } = web.kernel;
    await client.revokeApprovals();
  });

  async function asked(command: string) {
    web.kernel.upstream.next(calls(crypto.randomUUID(), 'shell', { commands: [command] }), says('So be it.'));
    await page.say('Run it.');
    const dialog = page.page.getByRole('dialog');
    await dialog.waitFor();
    return dialog;
  }

  test('[HANDS-3] [HANDS-7] approves commands on the laptop by a selected prefix', async () => {
    const dialog = await asked('npm run build');
    expect(await dialog.locator('.where').textContent()).toContain('laptop');
    await dialog.getByRole('combobox', { name: 'Commands starting with' }).selectOption('npm run');
    await page.button('Always allow commands starting with…', dialog).click();
    await machine.answer(await machine.operation('shell'), { result: 'built' });
    await page.log.getByText('So be it.').waitFor();
    const { approvals } = await web.kernel.client.listApprovals();
    expect(approvals).toMatchObject([{ prefix: 'npm run', hands: 'laptop', decision: 'allow_prefix' }]);
  });

  test('[HANDS-7] sends feedback to the model with Deny', async () => {
    const dialog = await asked('git push');
    await dialog.getByRole('textbox', { name: 'Deny with feedback' }).fill('Not on a Friday.');
    await page.button('Deny', dialog).click();
    await page.log.getByText('So be it.').waitFor();
    expect(JSON.stringify(web.kernel.upstream.requests.at(-1)?.body)).toContain('Not on a Friday.');
    expect(machine.told).not.toContain('shell');
  });

  const choice = () => page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const directory = () => page.page.getByRole('combobox', { name: 'Working directory', exact: true });
  const placeOf = async (id: string) => {
    const { workdir, workdir_on, hands } = await web.kernel.client.getChat(id);
    return { workdir, workdir_on, hands };
  };
  const there = { workdir: '/home/me/project', workdir_on: 'client', hands: 'laptop' };

  test('[WEB-3] [HANDS-7] asks for a directory when the laptop is selected, and allows edits below it', async () => {
    const { client, upstream } = web.kernel;
    chat = (await client.createChat({ title: 'Elsewhere', workdir: '/srv', workdir_on: 'server' })).id;
    await page.page.goto(`${web.kernel.url}/chats/${chat}`);
    await choice().selectOption('hands:laptop');
    await directory().fill('/home/me/project');
    // The field loses focus, and sending waits until the kernel has the directory.
    upstream.next(calls('e1', 'write_file', { path: 'a.txt', content: 'x' }), says('So be it.'));
    await page.say('Write it.');
    const dialog = page.page.getByRole('dialog');
    await dialog.getByText('/home/me/project/a.txt', { exact: true }).waitFor();
    expect(await placeOf(chat)).toEqual(there);
    await page.button('Always allow edits in this folder', dialog).click();
    await machine.answer(await machine.operation('write'), { result: 'ok' });
    await page.log.getByText('So be it.').waitFor();
    const { approvals } = await client.listApprovals();
    expect(approvals).toContainEqual(
      expect.objectContaining({ decision: 'allow_edits', workdir: '/home/me/project', hands: 'laptop' }),
    );
    await directory().waitFor({ state: 'detached' });
  });

  test('[WEB-3] [HANDS-5] sets the laptop and its directory for a new chat', async () => {
    web.kernel.upstream.next(says('Here.'));
    await page.page.goto(web.kernel.url);
    await choice().selectOption('hands:laptop');
    await directory().fill('/home/me/project');
    await page.say('Where are you?');
    await page.log.getByText('Here.').waitFor();
    const id = new URL(page.page.url()).pathname.split('/').at(-1) ?? '';
    expect(await placeOf(id)).toEqual(there);
    // The next chat on a machine gets the last directory of that machine.
    await page.button('New chat').click();
    await choice().selectOption('server');
    expect(await directory().inputValue()).toBe('');
    await choice().selectOption('hands:laptop');
    expect(await directory().inputValue()).toBe('/home/me/project');
  });

  test('[HANDS-5] lists and removes machines, and changes the machine of a chat', async () => {
    const select = page.page.getByRole('combobox', { name: 'Machine', exact: true });
    await expect.poll(() => select.inputValue()).toBe('hands:laptop');
    await select.selectOption('server');
    await expect.poll(async () => (await web.kernel.client.getChat(chat)).hands).toBeNull();
    await select.selectOption('hands:laptop');
    await expect.poll(async () => (await web.kernel.client.getChat(chat)).hands).toBe('laptop');
    machine.leave();
    await expect
      .poll(async () => (await web.kernel.client.listHands()).hands)
      .toMatchObject([{ name: 'laptop', here: false }]);
    await page.page.goto(`${web.kernel.url}/machines`);
    const row = page.page.getByRole('listitem').filter({ hasText: 'offline since' });
    await page.button('Remove', row).click();
    await row.waitFor({ state: 'detached' });
    expect((await web.kernel.client.listHands()).hands).toEqual([]);
  });
});
