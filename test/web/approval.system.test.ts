/** Approvals of edits in the page: they show what changes in the file, on the machine that would write it. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelClient, standBy } from '@chat-kernel/client';
import { nodeHands } from '@chat-kernel/hands';
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit } from './open-page.ts';

const LINES = Array.from({ length: 2000 }, (_, index) => `line ${index + 1}`);
const TEXT = `${LINES.join('\n')}\n`;
const EDITED = TEXT.replace('line 1000\n', 'line one thousand\n');

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  let workdir: string;
  /** Connects the laptop, and resolves once the kernel knows. */
  let connect: () => Promise<void>;
  let leave: () => Promise<void>;
  const web = sharedWeb();
  beforeEach(async () => {
    page = await web.visit();
    workdir = realpathSync(directoryOfTest());
    const leaving = new AbortController();
    let standing: Promise<void> | undefined;
    connect = async () => {
      const client = new KernelClient({ url: web.kernel.url });
      const hands = nodeHands({ workdir });
      const { signal } = leaving;
      standing = standBy({ client, name: 'laptop', client_id: 'id of laptop', hands, signal });
      await expect.poll(isConnected).toBe(true);
    };
    leave = async () => {
      leaving.abort();
      await standing;
      await expect.poll(isConnected).toBe(false);
    };
    return async () => {
      if (standing) await leave();
    };
  });
  const isConnected = async () =>
    (await web.kernel.client.listHands()).hands.some(({ name, here }) => name === 'laptop' && here);

  const onLaptop = () => ({ workdir, hands: 'laptop' });
  const onServer = () => ({ workdir, workdir_on: 'server', consent: 'ask' }) as const;

  /** Opens a chat in which the model calls a tool, and returns the dialog. */
  async function asked(place: object, tool: string, input: Record<string, unknown>): Promise<Locator> {
    const { id } = await web.kernel.client.createChat({ title: 'Work', ...place });
    await page.page.goto(`${web.kernel.url}/chats/${id}`);
    web.kernel.upstream.next(calls('c', tool, input), says('So be it.'));
    await page.say('Go.');
    const dialog = page.page.getByRole('dialog');
    await dialog.waitFor().catch(async cause => {
      const requests = web.kernel.upstream.requests.length;
      throw new Error(`After ${requests} requests: ${await page.page.locator('body').innerText()}`, {
        cause,
      });
    });
    return dialog;
  }
  const diff = (dialog: Locator) => dialog.locator('pre.diff');
  const head = (dialog: Locator) => dialog.locator('.diff-head');

  test('[WEB-16] shows the changed lines of a long file on another machine, and asks once', async () => {
    writeFileSync(join(workdir, 'a.txt'), TEXT);
    await connect();
    const dialog = await asked(onLaptop(), 'edit_file', {
      path: 'a.txt',
      old: 'line 1000\n',
      new: 'line one thousand\n',
    });
    // The tool reads the file first, which is a request of its own.
    await page.button('Allow once', dialog).click();
    await expect.poll(() => head(dialog).textContent()).toBe(`${workdir}/a.txt +1 −1`);
    await expect
      .poll(async () => (await diff(dialog).textContent())?.trimEnd().split('\n'))
      .toEqual([
        ' line 997 → 997',
        '  line 997',
        '  line 998',
        '  line 999',
        '− line 1000',
        '+ line one thousand',
        '  line 1001',
        '  line 1002',
        '  line 1003',
      ]);
    const { requests } = await web.kernel.client.listRequests();
    expect(requests.filter(({ event }) => JSON.stringify(event).includes(workdir))).toHaveLength(1);
    await page.button('Allow once', dialog).click();
    await page.log.getByText('So be it.').waitFor();
    expect(readFileSync(join(workdir, 'a.txt'), 'utf8')).toBe(EDITED);
    expect(surprising(page)).toEqual([]);
  });

  test.each([
    ['another machine', onLaptop],
    ['the server', onServer],
  ])('[WEB-16] says that a file on %s is new', async (_, place) => {
    if (place === onLaptop) await connect();
    const dialog = await asked(place(), 'write_file', { path: 'sub/new.txt', content: 'one\ntwo\n' });
    await dialog.getByText('New file', { exact: true }).waitFor();
    await expect.poll(() => diff(dialog).textContent()).toBe('+ one\n+ two\n');
    await page.button('Deny', dialog).click();
    await page.idle();
    expect(existsSync(join(workdir, 'sub/new.txt'))).toBe(false);
  });

  test('[WEB-16] says why a file cannot be shown, and shows what would replace it', async () => {
    writeFileSync(join(workdir, '.env'), 'KEY=old\n');
    await connect();
    const secret = await asked(onLaptop(), 'write_file', { path: '.env', content: 'KEY=new\n' });
    await secret.getByText(/^The current file can't be shown\. .*keys and passwords/).waitFor();
    await expect.poll(() => diff(secret).textContent()).toBe('+ KEY=new\n');
    expect(await secret.textContent()).not.toContain('KEY=old');
    await page.button('Deny', secret).click();
    await page.idle();
    writeFileSync(join(workdir, 'a.bin'), '\0');
    const binary = await asked(onLaptop(), 'write_file', { path: 'a.bin', content: 'text' });
    await binary.getByText(/^The current file can't be shown\. It is not text\./).waitFor();
    // The machine has disconnected, but the request is still open.
    await leave();
    await page.page.reload();
    await binary.getByText('The machine laptop is not connected.', { exact: false }).waitFor();
    await diff(binary).getByText('text').waitFor();
  });

  test('[WEB-16] shows the changed line of a file of a megabyte on the server, and an unchanged file', async () => {
    mkdirSync(join(workdir, 'sub'));
    writeFileSync(join(workdir, 'sub/big.txt'), `${TEXT.repeat(60)}The end.\n`);
    const dialog = await asked(onServer(), 'edit_file', {
      path: 'sub/big.txt',
      old: 'The end.',
      new: 'The beginning.',
    });
    await expect.poll(() => head(dialog).textContent()).toContain('+1 −1');
    expect((await diff(dialog).textContent())?.split('\n').length).toBeLessThan(8);
    await page.button('Deny', dialog).click();
    await page.idle();
    const same = await asked(onServer(), 'write_file', { path: 'sub/same.txt', content: 'same' });
    await same.getByText('New file').waitFor();
    writeFileSync(join(workdir, 'sub/same.txt'), 'same');
    await page.page.reload();
    await same.getByText('already has this content.').waitFor();
  });
});
