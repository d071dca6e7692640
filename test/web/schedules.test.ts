/** The page of schedules: made, changed, run by hand, looked back at, deleted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
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

  test('[WEB-3] [SCHED-1] a schedule is added, edited, run, switched off and deleted', async () => {
    const { client, url, upstream } = web.kernel;
    const { page, button } = visited;
    await page.goto(`${url}/schedules`);
    await page.getByText('Nothing is scheduled.').waitFor();
    await button('Add a schedule').click();
    const form = page.getByRole('dialog', { name: 'Add a schedule' });
    await form.getByRole('textbox', { name: 'Message' }).fill('What is on today?');
    await form.getByRole('textbox', { name: /^Cron/ }).fill('0 25 * * *');
    await form.getByRole('textbox', { name: 'Title of the new chat' }).fill('Today');
    await button('Add', form).click();
    // What is wrong is said, and the dialog stays.
    await page.getByText(/the field hour cannot be "25"/).waitFor();
    await form.getByRole('textbox', { name: /^Cron/ }).fill('0 7 * * MON-FRI');
    await button('Add', form).click();
    await form.waitFor({ state: 'detached' });
    const row = page.getByRole('listitem').filter({ hasText: 'Today' });
    await row.getByText(/0 7 \* \* MON-FRI/).waitFor();

    await button('Edit', row).click();
    const edit = page.getByRole('dialog', { name: 'Edit the schedule' });
    await edit.getByRole('spinbutton', { name: /^USD/ }).fill('0.5');
    await button('Save', edit).click();
    await edit.waitFor({ state: 'detached' });
    const [made] = (await client.listSchedules()).schedules;
    expect(made).toMatchObject({ cron: '0 7 * * MON-FRI', title: 'Today', max_cost_usd: 0.5 });
    await client.patchSchedule(made!.id, { max_cost_usd: null });
    expect(made?.chat_id).toBeNull();

    upstream.next(says('Nothing at all.'));
    await button('Run now', row).click();
    await page.getByText('Nothing at all.').waitFor();
    await page.goBack();
    await row.getByText(/last: completed/).waitFor();
    await button('Runs', row).click();
    await row
      .getByRole('list', { name: 'Runs' })
      .getByText(/: completed/)
      .waitFor();

    await button('Edit', row).click();
    await edit.getByRole('combobox', { name: 'Chat' }).selectOption({ index: 1 });
    await button('Save', edit).click();
    await edit.waitFor({ state: 'detached' });
    const [chat] = (await client.listChats()).chats;
    expect((await client.getSchedule(made!.id)).chat_id).toBe(chat?.id);

    await row.getByRole('checkbox', { name: 'On' }).uncheck();
    await row.getByText(/ · off/).waitFor();
    // What another client does is seen here.
    await client.patchSchedule(made!.id, { title: 'Tomorrow' });
    const renamed = page.getByRole('listitem').filter({ hasText: 'Tomorrow' });
    await button('Delete', renamed).click();
    await button('Delete', page.getByRole('dialog', { name: 'Delete this schedule?' })).click();
    await page.getByText('Nothing is scheduled.').waitFor();
  });
});
