/** The pages besides chats: everything that the API lets its owner do with modules, persons, shelves and the kernel's sleep. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { says } from '../harness/story.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let visited: Visit;
  beforeAll(async () => {
    web = await startWeb();
    visited = await web.visit();
  });
  afterAll(() => web?.stop());

  const open = async (path: string) => {
    await visited.page.goto(web.kernel.url + path);
    return visited.page;
  };
  const part = (name: string) => visited.page.getByRole('region', { name, exact: true });
  const { button } = {
    button: (name: string, within?: Parameters<Visit['button']>[1]) => visited.button(name, within),
  };

  test('[WEB-3] persons are found, named, marked and merged', async () => {
    const { client } = web.kernel;
    const ada = await client.resolvePerson({ surface: 'mail', external_id: 'ada@example.org', name: 'Ada' });
    const page = await open('/persons');
    await part('Find somebody').getByRole('textbox', { name: 'Surface' }).fill('chat');
    await part('Find somebody').getByRole('textbox', { name: 'Called there' }).fill('ada77');
    await button('Find').click();
    const second = page.getByRole('listitem').filter({ hasText: 'chat: ada77' });
    await second.getByRole('combobox', { name: 'Merge into' }).selectOption({ label: 'Ada' });
    await button('Merge').click();
    await expect.poll(async () => (await client.listPersons()).persons.length).toBe(1);
    const row = page.getByRole('listitem').filter({ hasText: 'ada@example.org' });
    await row.getByRole('checkbox', { name: 'Trusted' }).check();
    await row.getByRole('textbox', { name: 'Name' }).fill('Ada L.');
    await row.getByRole('textbox', { name: 'Name' }).blur();
    await expect
      .poll(async () => (await client.listPersons()).persons[0])
      .toMatchObject({ id: ada.id, name: 'Ada L.', trusted: true });
  });

  test('[WEB-3] [MEM-1] the memory is read, added to, changed and forgotten, and shows its size', async () => {
    const { client } = web.kernel;
    const page = await open('/memory');
    await part('Remember').getByRole('textbox', { name: 'Text' }).fill('Drinks tea.');
    await button('Add').click();
    await page.getByText(/11 of 8,000 characters, about \d+ tokens a chat$/).waitFor();
    const entry = page.getByRole('textbox', { name: 'Remembered' });
    await entry.fill('Drinks coffee.');
    await button('Save').click();
    await expect.poll(async () => (await client.getMemory()).entries[0]?.text).toBe('Drinks coffee.');
    // What another client does is seen here.
    await client.addMemory({ text: 'Likes herons.' });
    await expect.poll(() => entry.count()).toBe(2);
    await button('Forget', page.getByRole('listitem').filter({ hasText: 'Drinks coffee.' })).click();
    await expect.poll(() => entry.count()).toBe(1);
    await button('Forget everything').click();
    await button('Forget', page.getByRole('dialog')).click();
    await page.getByText('Nothing is remembered yet.').waitFor();
    expect((await client.getMemory()).entries).toEqual([]);
  });

  test('[WEB-3] videos are put on the shelf and taken off, channels followed and left', async () => {
    const { client } = web.kernel;
    const page = await open('/videos');
    await page.getByText('Add a video').click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('v1');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ships');
    await button('Add').click();
    const video = part('History').getByRole('listitem').filter({ hasText: 'Ships' });
    await button('Remove', video).click();
    await video.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Channel id' }).fill('c1');
    await page.getByRole('textbox', { name: 'Channel title' }).fill('Harbours');
    await button('Follow').click();
    const channel = part('Channels').getByRole('listitem').filter({ hasText: 'Harbours' });
    await channel.waitFor();
    // What another client does is seen here.
    await client.subscribe('c2', { title: 'Lighthouses' });
    await part('Channels').getByText('Lighthouses').waitFor();
    await button('Leave', channel).click();
    await channel.waitFor({ state: 'detached' });
    const file =
      '<opml version="1.0"><body><outline text="Rivers" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UC1"/></body></opml>';
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'a.opml', mimeType: 'text/xml', buffer: Buffer.from(file) });
    await page.getByRole('dialog', { name: 'Import channels' }).getByText('1 new channel').waitFor();
    await button('Import').click();
    await part('Channels').getByText('Rivers').waitFor();
  });

  test('[WEB-3] the kernel is put to sleep and woken, and a model asked once', async () => {
    const { client, upstream } = web.kernel;
    const page = await open('/settings');
    await part('Sleep').getByRole('textbox', { name: 'Why' }).fill('Night.');
    await button('Sleep').click();
    await part('Sleep').getByText('Asleep').waitFor();
    expect(await client.getSleep()).toMatchObject({ asleep: true, reason: 'Night.' });
    await page.getByRole('navigation', { name: 'Chats' }).getByText('The kernel sleeps').waitFor();
    await button('Wake', part('Sleep')).click();
    await expect.poll(async () => (await client.getSleep()).asleep).toBe(false);
    upstream.next(says('Four.'));
    await part('Ask once').getByRole('textbox', { name: 'Prompt' }).fill('Two and two?');
    await button('Ask').click();
    await part('Ask once').getByText('Four.').waitFor();
    await page.getByText('Settings that count').waitFor();
  });

  test('[WEB-3] a history is emptied, and channels are exported for other programs', async () => {
    const { client } = web.kernel;
    for (const id of ['v2', 'v3']) await client.markVideo(id, { title: id, duration_s: 60 });
    await client.subscribe('UC0123456789012345678901', { title: 'Canals' });
    const page = await open('/videos');
    await part('History').getByText('v3').waitFor();
    for (const name of ['Export OPML', 'Export for NewPipe']) {
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      expect(readFileSync(await download.path(), 'utf8'), name).toContain('Canals');
    }
    await button('Empty the history').click();
    await button('Empty', page.getByRole('dialog', { name: 'Empty the history?' })).click();
    await part('History').getByText('Nothing was watched yet.').waitFor();
    expect((await client.listVideos()).rows).toEqual([]);
  });

  test('[WEB-3] the settings show tools, the settings that count, and a file of the kernel’s machine', async () => {
    const folder = directoryOfTest();
    writeFileSync(join(folder, 'notes.md'), 'Buy milk.');
    await open('/settings');
    const files = part('Tools').getByRole('group').filter({ hasText: 'reads, writes and edits files' });
    await files.locator('summary').click();
    await files.getByText('read_file', { exact: true }).waitFor();
    const server = part('Settings that count').getByRole('group').filter({ hasText: 'behind_proxy' });
    await server.locator('summary').click();
    await server.getByText('"allowed_hosts"').waitFor();
    const path = part('Look at a file').getByRole('textbox', { name: 'Path' });
    await path.fill(join(folder, 'nothing.md'));
    await button('Look').click();
    await visited.page.getByRole('status').getByText('nothing.md cannot be read.').waitFor();
    await path.fill(join(folder, 'notes.md'));
    await button('Look').click();
    await part('Look at a file').getByText('Buy milk.').waitFor();
  });

  test('[SVC-3] the settings lead to the reference of the API and to its error codes', async () => {
    for (const [link, heading] of [
      ['the API reference', 'Chat Kernel'],
      ['its error codes', 'Error codes'],
    ] as const) {
      const page = await open('/settings');
      await page.getByRole('link', { name: link }).click();
      // The reference of all operations is long: a slow machine lays it out for a while.
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ timeout: 60_000 });
    }
  });

  test('[WEB-3] usage shows figures and plots, modules and books say what to do where there are none', async () => {
    const { client, upstream } = web.kernel;
    const chat = await client.createChat({ title: 'Costly' });
    upstream.next(says('Yes.'));
    await client.say(chat.id, 'Is it?');
    const page = await open('/usage');
    await page.getByRole('list', { name: 'Tokens by chat' }).getByText('Costly').waitFor();
    await open('/modules');
    await page.getByText('No module is here.').waitFor();
    await open('/books');
    await page.getByText('No book is on a shelf.').waitFor();
  });
});
