/** Pages other than chats: people, memory, videos, settings, books and schedules. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdfOf } from '../../packages/features/test/books/files.ts';
import { noBrowser } from '../browser/chromium.ts';
import { calls, says, summaryWith } from '../harness/story.ts';
import { startWeb, surprising, type Visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  let visited: Visit;
  beforeAll(async () => {
    web = await startWeb();
    visited = await web.visit();
  });
  afterAll(async () => {
    expect(surprising(visited)).toEqual([]);
    await web?.stop();
  });

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

  test('[WEB-3] puts the kernel to sleep, and wakes it', async () => {
    const { client } = web.kernel;
    const page = await open('/settings');
    await part('Sleep').getByRole('textbox', { name: 'Reason' }).fill('Night.');
    await button('Sleep').click();
    await part('Sleep').getByText('Asleep since').waitFor();
    expect(await client.getSleep()).toMatchObject({ asleep: true, reason: 'Night.' });
    await page.getByRole('status', { name: 'Sleep' }).getByText('Chat Kernel is asleep').waitFor();
    await button('Wake', part('Sleep')).click();
    await expect.poll(async () => (await client.getSleep()).asleep).toBe(false);
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

  test('[WEB-3] shows tools and the current configuration', async () => {
    await open('/settings');
    const files = part('Tools').getByRole('group').filter({ hasText: 'reads, writes and edits files' });
    await files.locator('summary').click();
    await files.getByText('read_file', { exact: true }).waitFor();
    const server = part('Current configuration').getByRole('group').filter({ hasText: 'behind_proxy' });
    await server.locator('summary').click();
    await server.getByText('"allowed_hosts"').waitFor();
  });

  test('[SVC-3] links to the API reference and the error codes', async () => {
    const page = await open('/settings');
    for (const [name, heading] of [
      ['API reference', 'Chat Kernel'],
      ['error codes', 'Error codes'],
    ] as const) {
      const link = page.getByRole('link', { name });
      const address = await link.evaluate(each => (each as unknown as { href: string }).href);
      expect(await (await fetch(address)).text()).toContain(heading);
    }
  });

  test('[WEB-3] shows a new book at once, renames and moves it, and deletes it after a confirmation', async () => {
    const { client, upstream } = web.kernel;
    const page = await open('/books');
    await page.getByText('No books yet.').waitFor();
    const bytes = pdfOf(['The harbour at dawn.', 'Waves break on the mole.'], {
      info: '/Title (Waves) /Author (Ann)',
    });
    const file = { name: 'waves.pdf', media_type: 'application/pdf', bytes: new Uint8Array(bytes) };
    const { id: file_id } = await client.uploadFile(file);
    upstream.next(calls('b2', 'books_upload', { file_id }), says('It stands on the shelf.'));
    const { id } = await client.createChat({ title: 'Sea', shelf: 'sea', toolset: { loaded: ['books'] } });
    await client.say(id, 'Shelve it.', { files: [{ id: file_id }] });
    const row = part('Books').getByRole('listitem');
    await row.getByText('Ann pdf · 2 pages').waitFor();
    const books = async () => (await client.listBooks()).books;
    const title = row.getByRole('textbox', { name: 'Title' });
    expect(await title.inputValue()).toBe('Waves');
    await title.fill('Waves, second edition');
    await title.press('Tab');
    await expect.poll(books).toMatchObject([{ title: 'Waves, second edition', shelf: 'sea' }]);
    const shelf = row.getByRole('textbox', { name: 'Shelf' });
    expect(await shelf.inputValue()).toBe('sea');
    await shelf.fill('harbour');
    await shelf.press('Tab');
    await expect.poll(books).toMatchObject([{ title: 'Waves, second edition', shelf: 'harbour' }]);
    const dialog = page.getByRole('dialog', { name: 'Delete this book?' });
    await button('Delete', row).click();
    await dialog.getByText('This permanently deletes Waves, second edition.').waitFor();
    await button('Cancel', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await books()).toHaveLength(1);
    await button('Delete', row).click();
    await button('Delete', dialog).click();
    await page.getByText('No books yet.').waitFor();
    expect(await books()).toEqual([]);
  });

  test('[WEB-3] [SCHED-1] [CONSENT-4] adds, edits, runs, turns off and deletes a schedule', async () => {
    const { client, upstream } = web.kernel;
    const page = await open('/schedules');
    await page.getByText('No schedules yet.').waitFor();
    await button('Add schedule').click();
    const form = page.getByRole('dialog', { name: 'Add schedule' });
    await form.getByRole('textbox', { name: 'Message' }).fill('What is on today?');
    await form.getByRole('textbox', { name: /^Cron/ }).fill('0 25 * * *');
    await form.getByRole('textbox', { name: 'New chat title' }).fill('Today');
    await button('Add', form).click();
    // The dialog shows the error and stays open.
    await page.getByText(/the field hour has the invalid value "25"/).waitFor();
    await form.getByRole('textbox', { name: /^Cron/ }).fill('0 7 * * MON-FRI');
    await form.getByText('Weekdays at 7:00', { exact: true }).waitFor();
    await button('Add', form).click();
    await form.waitFor({ state: 'detached' });
    const row = page.getByRole('listitem').filter({ hasText: 'Today' });
    await row.getByText(/^Weekdays at 7:00 .*next: /).click();
    await row.getByText('0 7 * * MON-FRI', { exact: true }).waitFor();

    await button('Edit', row).click();
    const edit = page.getByRole('dialog', { name: 'Edit schedule' });
    await edit.getByRole('spinbutton', { name: 'Cost limit per run (USD)' }).fill('0.5');
    for (const name of ['memory', 'shell']) {
      await button('Allow a tool', edit).click();
      await edit.getByRole('combobox', { name: 'Tool' }).last().selectOption(name);
    }
    await edit.getByRole('textbox', { name: 'Target' }).last().fill('npm test');
    await button('Save', edit).click();
    await edit.waitFor({ state: 'detached' });
    const [made] = (await client.listSchedules()).schedules;
    expect(made).toMatchObject({ cron: '0 7 * * MON-FRI', title: 'Today', max_cost_usd: 0.5 });
    expect(made?.grants).toEqual([
      { tool: 'memory', target: null },
      { tool: 'shell', target: 'npm test' },
    ]);
    await row.getByText('Without asking: memory, shell (npm test)').waitFor();
    await button('Edit', row).click();
    await button('Remove', edit).first().click();
    await button('Save', edit).click();
    await row.getByText('Without asking: shell (npm test)').waitFor();
    await client.patchSchedule(made!.id, { max_cost_usd: null });
    expect(made?.chat_id).toBeNull();

    upstream.next(says('Nothing at all.'));
    await button('Run now', row).click();
    await page.getByText('Nothing at all.').waitFor();
    await page.goBack();
    await row.getByText(/last run: completed/).waitFor();
    await button('Runs', row).click();
    await row
      .getByRole('list', { name: 'Runs' })
      .getByText(/: completed/)
      .waitFor();

    await button('Edit', row).click();
    await edit.getByRole('combobox', { name: 'Chat' }).selectOption({ index: 1 });
    await button('Save', edit).click();
    await edit.waitFor({ state: 'detached' });
    expect((await client.getSchedule(made!.id)).chat_id).not.toBeNull();

    await row.getByRole('checkbox', { name: 'On' }).uncheck();
    await row.getByText(/ · off/).waitFor();
    // The page shows changes by other clients.
    await client.patchSchedule(made!.id, { title: 'Tomorrow' });
    const renamed = page.getByRole('listitem').filter({ hasText: 'Tomorrow' });
    await button('Delete', renamed).click();
    await button('Delete', page.getByRole('dialog', { name: 'Delete this schedule?' })).click();
    await page.getByText('No schedules yet.').waitFor();
  });
});
