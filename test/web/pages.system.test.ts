/** Pages other than chats: people, memory, videos, settings, usage, modules and books. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { directoryOfTest } from '../harness/directory-of-test.ts';
import { PATIENT } from '../harness/patient.ts';
import { says, summaryWith } from '../harness/story.ts';
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

  test('[WEB-3] finds, names, trusts and merges people', async () => {
    const { client } = web.kernel;
    const ada = await client.resolvePerson({ surface: 'mail', external_id: 'ada@example.org', name: 'Ada' });
    const page = await open('/persons');
    await part('Find or add a person').getByRole('textbox', { name: 'Channel' }).fill('chat');
    await part('Find or add a person').getByRole('textbox', { name: 'User ID' }).fill('ada77');
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

  test('[WEB-3] [MEM-1] adds, edits and deletes memories, and shows their size', async () => {
    const { client } = web.kernel;
    const page = await open('/memory');
    await part('Add a memory').getByRole('textbox', { name: 'Text' }).fill('Drinks tea.');
    await button('Add').click();
    await page.getByText(/11 of 8,000 characters, about \d+ tokens per chat$/).waitFor();
    const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    const field = page.getByRole('textbox', { name: 'Memory' });
    await row('Drinks tea.').waitFor();
    expect(await field.count()).toBe(0);
    await button('Edit').click();
    await field.fill('Drinks nothing.');
    await page.keyboard.press('Escape');
    await row('Drinks tea.').waitFor();
    await button('Edit').click();
    await field.fill('Drinks coffee.');
    await button('Save').click();
    await expect.poll(async () => (await client.getMemory()).entries[0]?.text).toBe('Drinks coffee.');
    // The page shows changes by other clients.
    await client.addMemory({ text: 'Likes herons.' });
    await row('Likes herons.').waitFor();
    expect(await row('Drinks coffee.').count()).toBe(1);
    await button('Delete memory', row('Drinks coffee.')).click();
    await row('Drinks coffee.').waitFor({ state: 'detached' });
    expect(await row('Likes herons.').count()).toBe(1);
    await button('Delete all memories').click();
    await button('Delete all', page.getByRole('dialog')).click();
    await page.getByText('No memories yet.').waitFor();
    expect((await client.getMemory()).entries).toEqual([]);
  });

  test('[WEB-3] [CONSENT-4] reviews proposed memories one by one and all together, with their origin', async () => {
    const { api, client, upstream } = web.kernel;
    const chat = (await client.createChat({ title: 'News' })).id;
    const texts = ['Pays to account 66.', 'Has a boat.', 'Likes gulls.', 'Likes rain.'];
    upstream.next(says('Done.'), says('Yes.'), summaryWith(...texts));
    await client.say(chat, 'Read this.', { outside: ['web:evil.example'] });
    await client.say(chat, 'Tea?');
    await api.post(`/v1/chats/${chat}/compact`);
    const page = await open('/memory');
    const row = (text: string) => part('Proposals').getByRole('listitem').filter({ hasText: text });
    await row('account 66')
      .getByText(/^Learned while summarizing a chat · sources: web:evil\.example · chat · /)
      .waitFor();
    expect(await row('account 66').getByRole('link', { name: 'chat' }).getAttribute('href')).toContain(chat);
    await button('Discard', row('account 66')).click();
    await row('account 66').waitFor({ state: 'detached' });
    await button('Accept', row('Has a boat.')).click();
    await row('Has a boat.').waitFor({ state: 'detached' });
    await button('Accept all').click();
    await part('Proposals').waitFor({ state: 'detached' });
    const memory = (await api.get('/v1/memory')).body;
    expect(memory.entries.map(({ text }: { text: string }) => text)).toEqual(texts.slice(1));
    for (const text of texts.slice(1)) {
      await page.getByRole('listitem').filter({ hasText: text }).waitFor();
    }
    await api.delete('/v1/memory');
  });

  test('[WEB-3] adds and removes videos, and follows and unfollows channels', async () => {
    const { client } = web.kernel;
    const page = await open('/videos');
    await page.getByText('Add video').click();
    await page.getByRole('textbox', { name: 'Video ID' }).fill('v1');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ships');
    await button('Add').click();
    const video = part('History').getByRole('listitem').filter({ hasText: 'Ships' });
    await button('Remove', video).click();
    await video.waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Channel ID' }).fill('c1');
    await page.getByRole('textbox', { name: 'Channel title' }).fill('Harbours');
    await button('Follow').click();
    const channel = part('Channels').getByRole('listitem').filter({ hasText: 'Harbours' });
    await channel.waitFor();
    // The page shows changes by other clients.
    await client.subscribe('c2', { title: 'Lighthouses' });
    await part('Channels').getByText('Lighthouses').waitFor();
    await button('Unfollow', channel).click();
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

  test('[WEB-3] puts the kernel to sleep, wakes it, and sends a single request to a model', async () => {
    const { client, upstream } = web.kernel;
    const page = await open('/settings');
    await part('Sleep').getByRole('textbox', { name: 'Reason' }).fill('Night.');
    await button('Sleep').click();
    await part('Sleep').getByText('Asleep since').waitFor();
    expect(await client.getSleep()).toMatchObject({ asleep: true, reason: 'Night.' });
    await page.getByRole('status', { name: 'Sleep' }).getByText('Chat Kernel is asleep').waitFor();
    await button('Wake', part('Sleep')).click();
    await expect.poll(async () => (await client.getSleep()).asleep).toBe(false);
    upstream.next(says('Four.'));
    await part('Ask once').getByRole('textbox', { name: 'Prompt' }).fill('Two and two?');
    await button('Ask').click();
    await part('Ask once').getByText('Four.').waitFor();
    await page.getByText('Current configuration').waitFor();
  });

  test('[WEB-3] clears the video history, and exports channels', async () => {
    const { client } = web.kernel;
    for (const id of ['v2', 'v3']) await client.markVideo(id, { title: id, duration_s: 60 });
    await client.subscribe('UC0123456789012345678901', { title: 'Canals' });
    const page = await open('/videos');
    await part('History').getByText('v3').waitFor();
    for (const name of ['Export OPML', 'Export for NewPipe']) {
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      expect(readFileSync(await download.path(), 'utf8'), name).toContain('Canals');
    }
    await button('Clear history').click();
    await button('Clear', page.getByRole('dialog', { name: 'Clear history?' })).click();
    await part('History').getByText('No videos yet.').waitFor();
    expect((await client.listVideos()).rows).toEqual([]);
  });

  test('[WEB-3] shows tools, the current configuration, and a file on the server', async () => {
    const folder = directoryOfTest();
    writeFileSync(join(folder, 'notes.md'), 'Buy milk.');
    await open('/settings');
    const files = part('Tools').getByRole('group').filter({ hasText: 'reads, writes and edits files' });
    await files.locator('summary').click();
    await files.getByText('read_file', { exact: true }).waitFor();
    const server = part('Current configuration').getByRole('group').filter({ hasText: 'behind_proxy' });
    await server.locator('summary').click();
    await server.getByText('"allowed_hosts"').waitFor();
    const path = part('Preview file').getByRole('textbox', { name: 'Absolute path' });
    await path.fill(join(folder, 'nothing.md'));
    await button('Preview').click();
    await visited.page
      .getByRole('status')
      .getByText(/^Couldn't read .*nothing\.md\.$/)
      .waitFor();
    await path.fill(join(folder, 'notes.md'));
    await button('Preview').click();
    await part('Preview file').getByText('Buy milk.').waitFor();
  });

  test('[SVC-3] links to the API reference and the error codes', PATIENT, async () => {
    for (const [link, heading] of [
      ['API reference', 'Chat Kernel'],
      ['error codes', 'Error codes'],
    ] as const) {
      const page = await open('/settings');
      await page.getByRole('link', { name: link }).click();
      // The reference is long, so layout can take a while on a slow machine.
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ timeout: 60_000 });
    }
  });

  test('[WEB-3] shows usage by chat, and empty states for modules and books', async () => {
    const { client, upstream } = web.kernel;
    const chat = await client.createChat({ title: 'Costly' });
    upstream.next(says('Yes.'));
    await client.say(chat.id, 'Is it?');
    const page = await open('/usage');
    await page.getByRole('list', { name: 'Tokens by chat' }).getByText('Costly').waitFor();
    await open('/modules');
    await page.getByText('No modules installed.').waitFor();
    await open('/books');
    await page.getByText('No books yet.').waitFor();
  });
});
