/** Skills in the page: `/` suggests them by name, and the text after the name is sent with the request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { temporaryDirectory } from '../harness/directory.ts';
import { says } from '../harness/story.ts';
import { startWeb, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  const folder = temporaryDirectory();
  let web: Web;
  beforeAll(async () => {
    mkdirSync(join(folder.path, 'brew'));
    const skill = '---\nname: brew\ndescription: Makes tea.\n---\nBoil water.\n';
    writeFileSync(join(folder.path, 'brew', 'SKILL.md'), skill);
    web = await startWeb({ settings: { skills: { paths: [folder.path] } } });
  });
  afterAll(async () => {
    await web?.stop();
    folder.remove();
  });

  test('[SKILL-1] [WEB-3] /name requests a skill, with or without further text', async () => {
    const { client, upstream } = web.kernel;
    const { id } = await client.createChat({ title: 'Kitchen' });
    const page = await web.visit(`/chats/${id}`);
    upstream.next(says('Boiling.'), says('Green it is.'));
    await page.message.fill('/br');
    await page.page.getByRole('option', { name: '/brew Makes tea.' }).waitFor();
    await page.message.press('Enter');
    await page.log.getByText('Boiling.').waitFor();
    await page.idle();
    await page.say('/brew green tea');
    await page.log.getByText('Green it is.').waitFor();
    const said = (await client.items(id)).flatMap(item => (item.kind === 'user_message' ? [item.text] : []));
    expect(said).toEqual(['Use the skill brew.', 'Use the skill brew: green tea']);
    // Other text after a slash is a message.
    upstream.next(says('What?'));
    await page.say('/stew');
    await page.log.getByText('What?').waitFor();
    expect((await client.items(id)).some(item => item.kind === 'user_message' && item.text === '/stew')).toBe(
      true,
    );
  });
});
