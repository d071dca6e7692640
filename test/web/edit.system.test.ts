/** Tests retries, edits and versions in the page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { PATIENT } from '../harness/patient.ts';
import { says } from '../harness/story.ts';
import { startWeb, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', PATIENT, () => {
  let web: Web;
  beforeAll(async () => {
    const models = [{ id: 'scripted/plain' }, { id: 'scripted/other' }];
    web = await startWeb({ settings: { llm: { default_model: 'scripted/plain', models } } });
  });
  afterAll(() => web?.stop());

  test('[WEB-11] regenerates an answer, also with another model, and switches between the versions', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Tides' });
    upstream.next(says('At six.'), says('At seven.'), says('At eight.'));
    const page = await web.visit(`/chats/${id}`);
    await page.say('When is high tide?');
    const answer = page.articles('agent_message');
    await answer.filter({ hasText: 'At six.' }).waitFor();
    await page.idle();
    await answer.hover();
    await page.button('Regenerate', answer).click();
    await answer.filter({ hasText: 'At seven.' }).waitFor();
    await page.idle();
    expect(await answer.count()).toBe(1);
    await answer.hover();
    await page.button('Regenerate with', answer).click();
    await page.page.getByRole('menuitem', { name: 'scripted/other' }).click();
    await answer.filter({ hasText: 'At eight.' }).waitFor();
    await page.idle();
    const question = page.articles('user_message');
    await question.getByText('3 / 3').waitFor();
    expect(await page.button('Next version', question).isDisabled()).toBe(true);
    await page.button('Previous version', question).click();
    await answer.filter({ hasText: 'At seven.' }).waitFor();
    await page.page.reload();
    await question.getByText('2 / 3').waitFor();
    await page.button('Previous version', question).click();
    await answer.filter({ hasText: 'At six.' }).waitFor();
    expect(await question.count()).toBe(1);
  });

  test('[WEB-11] edits a message with its button and with the key ArrowUp, also for other devices', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Colors' });
    upstream.next(says('Red.'), says('Blue.'), says('Green.'));
    const [page, other] = [await web.visit(`/chats/${id}`), await web.visit(`/chats/${id}`)];
    await page.say('Which color?');
    const question = page.articles('user_message');
    await page.log.getByText('Red.').waitFor();
    await page.idle();
    await question.hover();
    await page.button('Edit', question).click();
    const dialog = page.page.getByRole('dialog', { name: 'Edit message' });
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Which color?');
    await dialog.getByLabel('Text').fill('Which other color?');
    await page.button('Send', dialog).click();
    await page.log.getByText('Blue.').waitFor();
    await page.idle();
    await other.log.getByText('Blue.').waitFor();
    await other.articles('user_message').getByText('2 / 2').waitFor();
    await page.message.press('ArrowUp');
    await dialog.getByLabel('Text').fill('And a third?');
    await page.page.keyboard.press('Control+Enter');
    await page.log.getByText('Green.').waitFor();
    expect(await page.articles('user_message').count()).toBe(1);
  });

  test('[WEB-11] offers to retry a turn that failed', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Storm' });
    upstream.next({ status: 401 }, says('It is calm.'));
    const page = await web.visit(`/chats/${id}`);
    await page.say('Is there a storm?');
    await page.button('Retry').click();
    await page.log.getByText('It is calm.').waitFor();
    await page.idle();
    expect(await page.button('Retry').count()).toBe(0);
  });
});
