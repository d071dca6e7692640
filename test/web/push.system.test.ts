/** Push messages in the real service worker: notifications, presses and answers. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PushNotification } from '@chat-kernel/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { MovableClock } from '../harness/clock.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { startPushService } from '../harness/push-service.ts';
import { says } from '../harness/story.ts';
import { missing, nginx, TOKEN } from '../proxy/proxies.ts';
import type { ScriptedStep } from '../upstream/reply.ts';
import { sharedWeb, visit } from './open-page.ts';
import { workerOf } from './service-worker.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let workdir: string;
  let chatId: string;
  const clock = new MovableClock();
  const web = sharedWeb({ settings: { push: { allow_private: true } }, clock });
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
  // All tests share a kernel: a request that is left open must not fail the other tests, and a turn that still runs must
  // not take their scripted replies.
  afterEach(async () => {
    const { client } = web.kernel;
    await expect
      .poll(async () => {
        for (const { chat_id, id } of (await client.listRequests()).requests) {
          await client.answerRequest(chat_id, { id, decision: 'deny' });
        }
        return (await client.getChat(chatId)).turn;
      })
      .toBeNull();
  });

  /** Starts operations that need approval, and returns the push messages that the kernel sends for them. */
  async function wordsFor(...steps: ScriptedStep[]): Promise<PushNotification[]> {
    const { client, upstream } = web.kernel;
    const phone = (await startPushService()).browser();
    const { id } = await client.subscribeToPush({ ...phone.subscription, on: ['request_opened'] });
    upstream.next({ steps }, says('So be it.'));
    await client.begin(chatId, { text: 'Do it.', questions: true });
    const told = () => {
      clock.advance(1000);
      return phone.words();
    };
    await expect.poll(told).toHaveLength(steps.length);
    await client.unsubscribeFromPush(id);
    return phone.words();
  }
  const call = (name: string, input: Record<string, unknown>): ScriptedStep => ({
    call: { id: crypto.randomUUID(), name, input },
  });
  const wordFor = async (name: string, input: Record<string, unknown>) =>
    (await wordsFor(call(name, input)))[0]!;
  const wordForCommand = (command: string) => wordFor('shell', { commands: [command] });

  const items = async () => JSON.stringify(await web.kernel.client.items(chatId));
  const answered = () =>
    expect.poll(async () => (await web.kernel.client.listRequests()).requests).toEqual([]);

  test('[WEB-2] [PUSH-2] shows the command in a notification, and runs it on Allow once', async () => {
    const word = await wordForCommand('touch once');
    const page = await web.visit('/settings');
    const worker = await workerOf(page);
    expect(await worker.deliver(word)).toEqual({
      title: 'Work',
      body: `shell: touch once\nin ${workdir}\nThis chat asks before a command runs on this computer.`,
      actions: ['allow: Allow once', 'deny: Deny'],
    });
    expect(existsSync(join(workdir, 'once'))).toBe(false);
    await worker.press(word, 'allow');
    await answered();
    await expect.poll(() => existsSync(join(workdir, 'once'))).toBe(true);
    expect(new URL(page.page.url()).pathname).toBe('/settings');
    // A request can be answered once. A second press opens its chat.
    await worker.deliver(word);
    await worker.press(word, 'deny');
    await page.page.waitForURL(address => address.pathname === `/chats/${chatId}`);
    await page.log.getByText('So be it.').waitFor();
  });

  test('[WEB-2] [PUSH-2] denies from a notification, also if it shows too little for Allow once', async () => {
    const worker = await workerOf(await web.visit());
    const word = await wordFor('write_file', { path: 'never', content: 'unseen' });
    expect(await worker.deliver(word)).toEqual({
      title: 'Work',
      body: `write: ${join(workdir, 'never')}\nThis chat asks before a file is changed on this computer.`,
      actions: ['open: Open', 'deny: Deny'],
    });
    await worker.press(word, 'deny');
    await answered();
    await expect.poll(items).toContain('The user declined this operation.');
    expect(existsSync(join(workdir, 'never'))).toBe(false);
  });

  test('[WEB-2] [PUSH-2] opens the chat at the request on a press and on Open', async () => {
    // The same chat has an older open request. Calls with the same action would ask one after the other.
    const older = call('write_file', { path: 'first', content: 'unseen' });
    const command = `echo a; echo ${'b'.repeat(200)}`;
    const words = await wordsFor(older, call('shell', { commands: [command] }));
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
    // Questions can only be answered in the page.
    await expect.poll(async () => (await web.kernel.client.getChat(chatId)).turn).toBeNull();
    const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }];
    const asked = await wordFor('ask_questions', { questions });
    expect(await worker.deliver(asked)).toEqual({ title: 'Work', body: 'Which colour?', actions: [] });
    await worker.press(asked);
    await page.page.getByRole('dialog').getByText('Which colour?').waitFor();
    await page.page.keyboard.press('Escape');
    await answered();
  });

  test('[WEB-2] [PUSH-2] uses the last used window, and opens a new one if there is none', async () => {
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
    await worker.hasNoWindow();
    await worker.deliver(word);
    await worker.press(word);
    expect(await worker.opened()).toEqual([address]);
    const opened = await web.visit(new URL(address).pathname + new URL(address).search);
    await opened.button('Deny', opened.page.getByRole('dialog')).click();
    await answered();
  });

  test('[WEB-2] [PUSH-2] opens no address of another host', async () => {
    const word = await wordForCommand('touch never');
    const page = await web.visit('/settings');
    const worker = await workerOf(page);
    await worker.noteWindows();
    const forged = { ...word, url: 'https://kernel.example///other.example/x' };
    await worker.deliver(forged);
    await page.page.close();
    await worker.hasNoWindow();
    await worker.press(forged);
    expect(await worker.opened()).toEqual([`${web.kernel.url}/other.example/x`]);
  });

  test.skipIf(missing('nginx'))(
    '[WEB-1] [PUSH-2] answers from a notification behind a proxy only if the token is stored on this device',
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
      // Even if an older notification still had a button.
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
      // When the page drops the token, the worker drops it, too.
      await owner.page.evaluate('localStorage.clear()');
      await owner.page.reload();
      await owner.page.getByRole('textbox', { name: 'Access token' }).waitFor();
      expect(await worker.deliver(word)).toMatchObject({ actions: [] });
      for (const { page } of [stranger, owner]) await page.context().close();
      await proxy.stop();
    },
  );
});
