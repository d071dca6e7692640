/** The page of schedules: add, edit, run, review and delete. */
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

  test('[WEB-3] [SCHED-1] [CONSENT-4] adds, edits, runs, turns off and deletes a schedule', async () => {
    const { client, url, upstream } = web.kernel;
    const { page, button } = visited;
    await page.goto(`${url}/schedules`);
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
    const [chat] = (await client.listChats()).chats;
    expect((await client.getSchedule(made!.id)).chat_id).toBe(chat?.id);

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
