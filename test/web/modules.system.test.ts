import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { becomes, type Declared, listening, moduleOf, tool, toolEntry } from '../harness/modules.ts';
import { calls, says } from '../harness/story.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

const STRAY: Declared = {
  name: 'stray',
  version: '2.0.0',
  about: 'wanders about',
  tools: [tool('echo')],
  stages: [{ stage: 'turn_done' }],
};

describe.skipIf(noBrowser)('in Chromium', () => {
  const sockets = temporaryDirectory();
  let web: Web;
  let page: Visit;
  beforeAll(async () => {
    web = await startWeb({ settings: { modules: { socket_dir: sockets.path } } });
  });
  afterAll(async () => {
    await web?.stop();
    sockets.remove();
  });

  /** Returns the row of a pending module. Each test uses its own module, because decisions are permanent. */
  async function found(name: string) {
    listening({ ...STRAY, name }, join(sockets.path, `${name}.sock`));
    await becomes(web.kernel.api, name, 'pending');
    await page.page.goto(`${web.kernel.url}/modules`);
    return page.page.getByRole('listitem').filter({ has: page.page.getByText(name, { exact: true }) });
  }
  const status = (name: string) =>
    expect.poll(async () => (await moduleOf(web.kernel.api, name))?.status, { timeout: 30_000 });
  beforeEach(async () => {
    page = await web.visit();
  });

  test('[WEB-3] shows what a module declares, starts it on approval, and stops it on revocation', async () => {
    const row = await found('stray');
    for (const text of ['2.0.0', 'pending', 'wanders about', 'Tools: stray_echo', 'Stages: turn_done']) {
      await row.getByText(text).first().waitFor();
    }
    await page.button('Approve', row).click();
    await row.getByText('up', { exact: true }).waitFor();
    await status('stray').toBe('up');
    expect(await toolEntry(web.kernel.api, 'stray_echo')).toMatchObject({ available: true });
    await page.button('Revoke', row).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    await status('stray').toBe('revoked');
    // Approve it again.
    await page.button('Approve', row).click();
    await status('stray').toBe('up');
  });

  test('[WEB-3] denies a module for good', async () => {
    const row = await found('unwanted');
    await page.button('Deny', row).click();
    await row.getByText('revoked', { exact: true }).waitFor();
    await status('unwanted').toBe('revoked');
    expect(await page.button('Deny', row).count()).toBe(0);
    await page.button('Approve', row).waitFor();
  });

  test('[WEB-2] shows a module approval by the model as a question, and approves by its answer', async () => {
    await found('asked');
    const { client, upstream } = web.kernel;
    const chat = await client.createChat({ title: 'Modules' });
    await page.page.goto(`${web.kernel.url}/chats/${chat.id}`);
    upstream.next(calls('m1', 'module_approve', { name: 'asked' }), says('As you wish.'));
    await page.say('Bring it in.');
    const dialog = page.page.getByRole('dialog', { name: 'Module' });
    await dialog.getByText('Approve the module asked, version 2.0.0 (wanders about)?').waitFor();
    await dialog.getByRole('radio', { name: /^Approve/ }).check();
    await page.button('Answer', dialog).click();
    await page.log.getByText('As you wish.').waitFor();
    await status('asked').toBe('up');
  });
});
