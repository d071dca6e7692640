/** Word of the kernel in the real service worker: what it shows, where a press leads, and what a press answers. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PushWord } from '@chat-kernel/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startPushService } from '../harness/push-service.ts';
import { says } from '../harness/story.ts';
import { missing, nginx, TOKEN } from '../proxy/proxies.ts';
import type { ScriptedStep } from '../upstream/reply.ts';
import { startWeb, visit, type Web } from './open-page.ts';
import { workerOf } from './service-worker.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let workdir: string;
  let chatId: string;
  beforeAll(async () => {
    web = await startWeb({ settings: { push: { allow_private: true } } });
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
    chatId = chat.id;
  });

  /** The model wants things done, and this is what the kernel sends to a browser once they have waited. */
  async function wordsFor(...steps: ScriptedStep[]): Promise<PushWord[]> {
    const { client, upstream } = web.kernel;
    const phone = (await startPushService()).browser();
    const { id } = await client.subscribeToPush({ ...phone.subscription, on: ['request_opened'] });
    upstream.next({ steps }, says('So be it.'));
    await client.begin(chatId, { text: 'Do it.', questions: true });
    await expect.poll(() => phone.words(), { timeout: 10_000 }).toHaveLength(steps.length);
    await client.unsubscribeFromPush(id);
    return phone.words();
  }
  const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
    call: { id: crypto.randomUUID(), name, input },
  });
  const wordFor = async (name: string, input: Record<string, unknown>) =>
    (await wordsFor(call(name, input)))[0]!;
  const wordForCommand = (command: string) => wordFor('shell', { commands: [command] });

  /** What the model was told at last. */
  const told = () => JSON.stringify(web.kernel.upstream.requests.at(-1)?.body.messages.at(-1));
  const answered = () =>
    expect.poll(async () => (await web.kernel.client.listRequests()).requests).toEqual([]);

  test('[WEB-2] [PUSH-2] a notification shows the command that would run, and Allow once in it lets it run', async () => {
    const word = await wordForCommand('touch once');
    const page = await web.visit('/settings');
    const worker = await workerOf(page);
    expect(await worker.deliver(word)).toEqual({
      title: 'Work',
      body: `shell: touch once\nin ${workdir}`,
      actions: ['allow: Allow once', 'deny: Deny'],
    });
    expect(existsSync(join(workdir, 'once'))).toBe(false);
    await worker.press(word, 'allow');
    await answered();
    await expect.poll(() => existsSync(join(workdir, 'once'))).toBe(true);
    expect(new URL(page.page.url()).pathname).toBe('/settings');
    // What is answered cannot be answered again: its chat tells what became of it.
    await worker.deliver(word);
    await worker.press(word, 'deny');
    await page.page.waitForURL(address => address.pathname === `/chats/${chatId}`);
    await page.log.getByText('So be it.').waitFor();
  });

  test('[WEB-2] [PUSH-2] Deny in a notification denies, also where it shows too little for a yes', async () => {
    const worker = await workerOf(await web.visit());
    for (const command of [`touch never; echo ${'a'.repeat(200)}`, 'echo a\ntouch never', 'echo a\u202e']) {
      const word = await wordForCommand(command);
      expect(await worker.deliver(word)).toMatchObject({ actions: ['open: Open', 'deny: Deny'] });
      await worker.press(word, 'deny');
      await answered();
      await expect.poll(told).toContain('The user declined this operation.');
    }
    const word = await wordFor('write_file', { path: 'never', content: 'unseen' });
    expect(await worker.deliver(word)).toEqual({
      title: 'Work',
      body: `write: ${join(workdir, 'never')}`,
      actions: ['open: Open', 'deny: Deny'],
    });
    await worker.press(word, 'deny');
    await answered();
    expect(existsSync(join(workdir, 'never'))).toBe(false);
  });

  test('[WEB-2] [PUSH-2] a press on a notification, and on Open, opens the chat at the request', async () => {
    const commands = ['echo first', `echo a; echo ${'b'.repeat(200)}`];
    const words = await wordsFor(...commands.map(command => call('shell', { commands: [command] })));
    // An older request waits in the same chat.
    const word = words.find(({ text }) => text.includes('bbb'))!;
    const page = await web.visit('/settings');
    const worker = await workerOf(page);
    for (const action of ['', 'open']) {
      await worker.deliver(word);
      await worker.press(word, action);
      await page.page.waitForURL(`${web.kernel.url}/chats/${chatId}?request=${word.request_id}`);
      const dialog = page.page.getByRole('dialog');
      expect(await dialog.locator('.command').textContent()).toContain('echo a; echo bbb');
      await page.page.getByRole('link', { name: 'Settings' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    const { requests } = await web.kernel.client.listRequests();
    expect(requests).toHaveLength(2);
    for (const { id } of requests) await web.kernel.client.answerRequest(chatId, { id, decision: 'deny' });
    // A question is answered in the page alone.
    await expect.poll(async () => (await web.kernel.client.getChat(chatId)).turn).toBeNull();
    const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }];
    const asked = await wordFor('ask_questions', { questions });
    expect(await worker.deliver(asked)).toEqual({ title: 'Work', body: 'Which colour?', actions: [] });
    await worker.press(asked);
    await page.page.getByRole('dialog').getByText('Which colour?').waitFor();
    await page.page.keyboard.press('Escape');
    await answered();
  });

  test('[WEB-2] [PUSH-2] a press takes the window that was used last, and opens one where there is none', async () => {
    const word = await wordForCommand('touch never');
    const address = `${web.kernel.url}/chats/${chatId}?request=${word.request_id}`;
    const older = await web.visit('/settings');
    const worker = await workerOf(older);
    const newer = await older.page.context().newPage();
    await newer.goto(`${web.kernel.url}/usage`);
    await newer.bringToFront();
    await worker.noteWindows();
    await worker.deliver(word);
    await worker.press(word);
    await newer.waitForURL(address);
    expect(new URL(older.page.url()).pathname).toBe('/settings');
    expect(await worker.opened()).toEqual([]);
    for (const page of [older.page, newer]) await page.close();
    await worker.deliver(word);
    await worker.press(word);
    expect(await worker.opened()).toEqual([address]);
    const opened = await web.visit(new URL(address).pathname + new URL(address).search);
    await opened.button('Deny', opened.page.getByRole('dialog')).click();
    await answered();
  });

  test.skipIf(missing('nginx'))(
    '[WEB-1] [PUSH-2] behind a proxy a notification answers only where the token is kept on this device',
    async () => {
      const proxy = await nginx.start(web.kernel.url);
      const enter = async (isKept: boolean) => {
        const page = await visit(web.browser, `${proxy.url}/`);
        await page.page.getByRole('textbox', { name: 'Access token' }).fill(TOKEN);
        if (isKept) await page.page.getByRole('checkbox', { name: 'Keep on this device' }).check();
        await page.button('Continue').click();
        await page.message.waitFor();
        return page;
      };
      const word = await wordForCommand('touch proxied');
      const stranger = await enter(false);
      const without = await workerOf(stranger);
      expect(await without.deliver(word)).toMatchObject({ actions: [] });
      // Even where a button were left over from before.
      await without.press(word, 'allow');
      await stranger.page.waitForURL(`**/chats/${chatId}?request=${word.request_id}`);
      expect((await web.kernel.client.listRequests()).requests).toHaveLength(1);

      const owner = await enter(true);
      const worker = await workerOf(owner);
      expect(await worker.deliver(word)).toMatchObject({ actions: ['allow: Allow once', 'deny: Deny'] });
      await worker.press(word, 'allow');
      await answered();
      await expect.poll(() => existsSync(join(workdir, 'proxied'))).toBe(true);
      expect([...stranger.requests, ...owner.requests].filter(address => address.includes(TOKEN))).toEqual(
        [],
      );
      // What the page does not keep any more, the worker does not either.
      await owner.page.evaluate('localStorage.clear()');
      await owner.page.reload();
      await owner.page.getByRole('textbox', { name: 'Access token' }).waitFor();
      expect(await worker.deliver(word)).toMatchObject({ actions: [] });
      for (const { page } of [stranger, owner]) await page.context().close();
      await proxy.stop();
    },
  );
});
