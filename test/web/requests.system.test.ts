/** Requests of the model in the page: operations on the server, and questions. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  let workdir: string;
  const web = sharedWeb();
  beforeEach(async () => {
    workdir = realpathSync(directoryOfTest());
    const chat = await web.kernel.client.createChat({
      title: 'Work',
      workdir,
      workdir_on: 'server',
      consent: 'ask',
    });
    page = await web.visit(`/chats/${chat.id}`);
    return () => web.kernel.client.revokeApprovals();
  });

  /** Makes the model ask for a command, and returns the dialog. */
  async function asked(command: string) {
    web.kernel.upstream.next(calls(crypto.randomUUID(), 'shell', { commands: [command] }), says('So be it.'));
    await page.say('Run it.');
    const dialog = page.page.getByRole('dialog', { name: 'The model wants to run a command' });
    await dialog.waitFor();
    return dialog;
  }

  test('[WEB-2] shows the exact command, and runs it on Allow once', async () => {
    const dialog = await asked('touch once && echo "a  b"');
    expect(await dialog.locator('.command').textContent()).toBe('touch once && echo "a  b"');
    expect(await dialog.locator('.where').textContent()).toBe(`on the server, not sandboxed, in ${workdir}`);
    for (const name of ['Allow once', 'Allow for this session', 'Always allow', 'Deny', 'Close']) {
      await page.button(name, dialog).waitFor();
    }
    expect(existsSync(join(workdir, 'once'))).toBe(false);
    await page.button('Allow once', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    await page.log.getByText('So be it.').waitFor();
    expect(existsSync(join(workdir, 'once'))).toBe(true);
  });

  test('[WEB-2] denies on Esc and on Close, and allows nothing on Enter', async () => {
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

  test('[HANDS-7] has the same letter and place for each decision, and typing allows nothing', async () => {
    const { keyboard } = page.page;
    const box = async (name: string, dialog: Locator) => (await page.button(name, dialog).boundingBox())!;
    const plain = await asked('touch never');
    const [allow, deny] = [await box('Allow once', plain), await box('Deny', plain)];
    // A message that is being typed, of which only the first letter comes after a pause.
    await keyboard.type('xyny');
    await setTimeout(600);
    await keyboard.press('a');
    expect(await page.page.evaluate('document.activeElement.textContent')).toContain('Always allow');
    await setTimeout(600);
    await keyboard.press('n');
    await plain.waitFor({ state: 'detached' });
    await page.idle();
    expect(existsSync(join(workdir, 'never'))).toBe(false);
    expect((await web.kernel.client.listApprovals()).approvals).toEqual([]);
    const piped = await asked('echo piped | cat > piped');
    expect([await box('Allow once', piped), await box('Deny', piped)]).toMatchObject([
      { x: allow.x, width: allow.width },
      { x: deny.x, width: deny.width },
    ]);
    await setTimeout(600);
    await keyboard.press('y');
    await piped.waitFor({ state: 'detached' });
    await page.idle();
    expect(existsSync(join(workdir, 'piped'))).toBe(true);
  });

  test('[WEB-3] lists what saved approvals cover and what was decided, and revokes one or all', async () => {
    for (const [command, decision] of [
      ['echo session', 'Allow for this session'],
      ['echo kept', 'Always allow'],
      ['echo always', 'Always allow'],
    ] as const) {
      const dialog = await asked(command);
      await page.button(decision, dialog).click();
      await dialog.waitFor({ state: 'detached' });
      await page.idle();
    }
    const saved = async () => (await web.kernel.client.listApprovals()).approvals;
    await expect.poll(saved).toHaveLength(3);
    await page.page.getByRole('link', { name: 'Permissions' }).click();
    const decision = page.page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
    await decision.waitFor();
    expect(await decision.textContent()).toMatch(
      /^Always allowed · run a command ?echo always.*decided in web/,
    );
    const approvals = page.page.getByRole('region', { name: 'Approvals' });
    const row = approvals.getByRole('listitem').filter({ hasText: 'echo always' });
    const covers = `Runs exactly this command in ${workdir} on the server`;
    await approvals.getByText(`${covers}:`, { exact: true }).waitFor();
    // The output of the commands before it is in the chat.
    await row.getByText(`${covers}, also after the turn has read command output:`).waitFor();
    await page.button('Revoke', row).click();
    await row.waitFor({ state: 'detached' });
    expect(await saved()).toHaveLength(2);
    await approvals.getByRole('listitem').filter({ hasText: 'this session' }).waitFor();
    await page.button('Revoke all', approvals).click();
    await approvals.getByText('No saved approvals.').waitFor();
    expect(await saved()).toEqual([]);
  });

  test('[WEB-5] shows the codes of invisible characters in a command', async () => {
    const dialog = await asked('echo a\u202Eb\u200Bc\u0007');
    expect(await dialog.locator('.command').textContent()).toBe('echo a<U+202E>b<U+200B>c\u2407');
    await page.button('Deny', dialog).click();
    await page.idle();
  });

  test('[WEB-2] answers a question by an option, discusses it on Esc, or leaves it for the next message', async () => {
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
