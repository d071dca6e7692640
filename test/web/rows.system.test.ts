/** The rows of a conversation: what is below an answer, what a tool call shows, and the settings of the next turn. */
import { describe, expect, test } from 'vitest';
import { noBrowser, PHONE } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, held, says } from '../harness/story.ts';
import { sharedWeb, surprising } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  const web = sharedWeb();

  /** Returns a chat with one answer. */
  async function answered(text: string): Promise<string> {
    const { id } = await web.kernel.client.createChat({ title: 'Rows' });
    web.kernel.upstream.next(says(text));
    await web.kernel.client.say(id, 'Show.');
    return id;
  }

  for (const [name, device] of [
    ['a phone', PHONE],
    ['a computer', {}],
  ] as const) {
    test(`[WEB-10] copies an answer or its code with one press on ${name}`, async () => {
      const page = await web.visit(`/chats/${await answered('```sh\nls\n```')}`, device);
      await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copied = () => page.page.evaluate('navigator.clipboard.readText()');
      const answer = page.articles('agent_message');
      await answer.hover();
      // A click fails if something covers the button.
      await page.button('Copy code', answer).click();
      await expect.poll(copied).toBe('ls');
      await page.button('Copy', answer).click();
      await expect.poll(copied).toBe('```sh\nls\n```');
      const [text, code] = await Promise.all([answer.boundingBox(), answer.locator('figure').boundingBox()]);
      expect(code?.width).toBe(text?.width);
      expect(surprising(page)).toEqual([]);
    });
  }

  test('[WEB-10] shows the settings of the next turn on one button of a phone', async () => {
    const page = await web.visit(`/chats/${await answered('Here.')}`, PHONE);
    const opener = page.page.getByRole('button', { name: /^Model, effort and machine/ });
    await opener.getByText('Default effort · Client').waitFor();
    const effort = page.page.getByRole('combobox', { name: 'Effort', exact: true });
    expect(await effort.count()).toBe(0);
    await opener.tap();
    for (const name of ['Model', 'Machine']) {
      await page.page.getByRole('combobox', { name, exact: true }).waitFor();
    }
    await effort.selectOption('High');
    await page.page.keyboard.press('Escape');
    await opener.getByText('High effort · Client').waitFor();
    const isCut = await opener
      .locator('.gist')
      .evaluateAll(all => all.some(each => each.scrollWidth > each.clientWidth));
    expect(isCut).toBe(false);
  });

  test('[WEB-3] shows a tool call, its machine and the decision in one row', async () => {
    const { client, upstream } = web.kernel;
    const place = { workdir: directoryOfTest(), workdir_on: 'server', consent: 'ask' } as const;
    const chat = await client.createChat({ title: 'Calls', ...place });
    const page = await web.visit(`/chats/${chat.id}`);
    const gate = held({ text: 'Done.' });
    upstream.next(calls('w1', 'write_file', { path: 'a.txt', content: 'A' }), gate.reply);
    await page.say('Write it.');
    await page.button('Allow once', page.page.getByRole('dialog')).click();
    const call = page.articles('tool_call');
    await call.getByText('server · allowed once').waitFor();
    await call.getByText('a.txt').waitFor();
    // An article per item, in the order of the items.
    const kinds = await page
      .articles()
      .evaluateAll(all => all.map(each => (each as { dataset?: DOMStringMap }).dataset?.kind));
    expect(kinds).toEqual(['user_message', 'tool_call', 'consent_request']);
    expect(await page.articles('consent_request').getAttribute('data-item-id')).toMatch(/./);
    expect((await call.boundingBox())?.height).toBeLessThan(40);
    gate.go();
    await page.idle();
  });

  test('[CHAT-7] shows the used share of the context window, also after a reload', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Window' });
    const page = await web.visit(`/chats/${id}`);
    const usage = { prompt: 60_000, completion: 1 };
    upstream.next({ steps: [{ text: 'Hm.' }, { usage }] });
    await page.say('Hi.');
    await page.idle();
    const { prefix_tokens } = await client.getSpend(id);
    expect(prefix_tokens).toBeGreaterThan(500);
    const share = `${Math.round((60_000 - prefix_tokens) / 1000)} %`;
    await page.page.getByText(share, { exact: true }).waitFor();
    // The answer of a kernel that stores the usage of each message.
    const counted = { model: 'scripted/plain', usage: { prompt_tokens: 60_000 } };
    const newest = await client.listItems(id);
    const items = newest.items.map(item => (item.kind === 'agent_message' ? { ...item, ...counted } : item));
    await page.page.route('**/items?*', route => route.fulfill({ json: { ...newest, items } }));
    await page.page.reload();
    await page.page.getByText(share, { exact: true }).waitFor();
  });
});
