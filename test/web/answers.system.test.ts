/** Tests of answers: the model that wrote them, their tokens and cost, and retries, edits and versions. */
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { PATIENT } from '../harness/patient.ts';
import { calls, says } from '../harness/story.ts';
import { sharedWeb } from './open-page.ts';

const used = (prompt: number, completion: number) => ({
  usage: { prompt, completion, reasoning: 4, cached: 200 },
});

describe.skipIf(noBrowser)('in Chromium', PATIENT, () => {
  const web = sharedWeb({
    settings: {
      llm: {
        default_model: 'scripted/plain',
        models: [
          { id: 'scripted/plain', price: { input: 1, output: 10, cached_input: 1 } },
          { id: 'scripted/other' },
        ],
      },
    },
  });

  test('[WEB-12] shows the model, tokens and cost of an answer on demand, live and after a reload', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Ferry' });
    const page = await web.visit(`/chats/${id}`);
    const call = calls('p', 'plan', { tasks: [] });
    upstream.next(
      { steps: [...(call.steps ?? []), used(9000, 20)] },
      { steps: [{ text: 'At noon.' }, used(12_345, 67)] },
    );
    await page.say('When does the ferry go?');
    await page.idle();
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.page.reload();
      const answer = page.articles('agent_message').filter({ hasText: 'At noon.' });
      await answer.hover();
      await page.button('Details', answer).click();
      const details = page.page.getByRole('dialog', { name: 'Details' });
      await details.getByText('Whole turn').waitFor();
      expect((await details.innerText()).split(/\s*\n\s*/)).toEqual([
        ...['Model', 'scripted/plain'],
        ...['Input', '12,345 tokens', '200 cached'],
        ...['Output', '67 tokens', '4 thinking'],
        ...['Cost', '$0.013'],
        ...['Whole turn', '21,432 tokens', '$0.022'],
      ]);
      await page.page.keyboard.press('Escape');
      await details.waitFor({ state: 'hidden' });
    }
  });

  test('[WEB-12] marks the first answer of another model, and only that', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Two models' });
    upstream.next(says('First.'), says('Second.'), says('Third.'));
    await client.say(id, 'One?');
    const page = await web.visit(`/chats/${id}`);
    await page.log.getByText('First.').waitFor();
    expect(await page.log.getByText('Model changed to').count()).toBe(0);
    await client.patchChat(id, { model: 'scripted/other' });
    for (const text of ['Second.', 'Third.']) {
      await client.say(id, 'And?');
      await page.log.getByText(text).waitFor();
    }
    const mark = page.log.getByText('Model changed to scripted/other');
    expect(await mark.count()).toBe(1);
    const second = page.articles('agent_message').filter({ hasText: 'Second.' });
    await second.getByText('Model changed to scripted/other').waitFor();
    // Its price is unknown, which is not the same as free.
    await second.hover();
    await page.button('Details', second).click();
    await page.page.getByRole('dialog', { name: 'Details' }).getByText('price unknown').waitFor();
  });

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
