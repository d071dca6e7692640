/** What the model asks its owner for, in the page: operations on the kernel's machine, and questions. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let page: Visit;
  let workdir: string;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web?.stop());
  beforeEach(async () => {
    workdir = realpathSync(directoryOfTest());
    const chat = await web.kernel.client.createChat({
      title: 'Work',
      workdir,
      workdir_on: 'server',
      consent: 'ask',
    });
    page = await web.visit(`/chats/${chat.id}`);
  });

  /** The model wants a command to run. */
  async function asked(command: string) {
    web.kernel.upstream.next(calls(crypto.randomUUID(), 'shell', { commands: [command] }), says('So be it.'));
    await page.say('Run it.');
    const dialog = page.page.getByRole('dialog');
    await dialog.waitFor();
    return dialog;
  }

  test('[WEB-2] an operation shows the exact command, and runs once its owner has allowed it once', async () => {
    const dialog = await asked('touch once && echo "a  b"');
    expect(await dialog.locator('.command').textContent()).toBe('touch once && echo "a  b"');
    expect(await dialog.locator('.where').textContent()).toBe(
      `on the kernel's machine, not sandboxed, in ${workdir}`,
    );
    for (const name of ['Allow once', 'Allow for this session', 'Always allow', 'Deny']) {
      await page.button(name, dialog).waitFor();
    }
    expect(existsSync(join(workdir, 'once'))).toBe(false);
    await page.button('Allow once', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.log.getByText('So be it.').waitFor();
    expect(existsSync(join(workdir, 'once'))).toBe(true);
  });

  test('[WEB-2] Esc and the cross deny, and Enter alone allows nothing', async () => {
    const first = await asked('touch never');
    await page.page.keyboard.press('Enter');
    await page.page.keyboard.press('Escape');
    await first.waitFor({ state: 'detached' });
    await page.log.getByText('So be it.').waitFor();
    const second = await asked('touch never');
    await page.button('Close', second).click();
    await second.waitFor({ state: 'detached' });
    await page.idle();
    expect(existsSync(join(workdir, 'never'))).toBe(false);
  });

  test('[WEB-3] a lasting yes is listed in the settings, and is taken back there', async () => {
    const dialog = await asked('echo always');
    await page.button('Always allow', dialog).click();
    await page.log.getByText('So be it.').waitFor();
    await page.page.getByRole('link', { name: 'Settings' }).click();
    const approvals = page.page.getByRole('region', { name: 'Approvals' });
    const row = approvals.getByRole('listitem').filter({ hasText: 'echo always' });
    await page.button('Revoke', row).click();
    await row.waitFor({ state: 'detached' });
    expect((await web.kernel.client.listApprovals()).approvals).toEqual([]);
  });

  test('[WEB-3] all that was allowed is taken back at once', async () => {
    for (const [command, decision] of [
      ['echo session', 'Allow for this session'],
      ['echo always', 'Always allow'],
    ] as const) {
      const dialog = await asked(command);
      await page.button(decision, dialog).click();
      await dialog.waitFor({ state: 'detached' });
      await page.idle();
    }
    await page.page.getByRole('link', { name: 'Settings' }).click();
    const approvals = page.page.getByRole('region', { name: 'Approvals' });
    await approvals.getByRole('listitem').filter({ hasText: 'until the kernel stops' }).waitFor();
    await page.button('Revoke all', approvals).click();
    await approvals.getByText('None: every operation asks.').waitFor();
    expect((await web.kernel.client.listApprovals()).approvals).toEqual([]);
  });

  test('[WEB-5] what nobody sees in a command is shown as what it is', async () => {
    const dialog = await asked('echo a\u202Eb\u200Bc\u0007');
    expect(await dialog.locator('.command').textContent()).toBe('echo a<U+202E>b<U+200B>c\u2407');
    await page.button('Deny', dialog).click();
    await page.idle();
  });

  test('[WEB-2] a question is answered by a choice, talked about by Esc, or left for the next message', async () => {
    const ask = async () => {
      const questions = [
        { question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] },
      ];
      web.kernel.upstream.next(calls(crypto.randomUUID(), 'ask_questions', { questions }), says('I see.'));
      await page.say('Ask me.');
      const dialog = page.page.getByRole('dialog', { name: 'Colour' });
      await dialog.getByText('Which colour?').waitFor();
      return dialog;
    };
    const told = () => JSON.stringify(web.kernel.upstream.requests.at(-1)?.body.messages.at(-1));
    const first = await ask();
    await first.getByRole('radio', { name: 'Blue' }).check();
    await page.button('Answer', first).click();
    await first.waitFor({ state: 'detached' });
    await page.idle();
    expect(told()).toContain('Blue');
    const second = await ask();
    await page.page.keyboard.press('Escape');
    await second.waitFor({ state: 'detached' });
    await page.idle();
    expect(told()).not.toContain('Blue');
    const third = await ask();
    await page.button('Answer in text', third).click();
    await third.waitFor({ state: 'detached' });
    await page.idle();
    expect(surprising(page)).toEqual([]);
  });
});
