/** The page of usage: spending by day, model and surface. */
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { ManualClock } from '../harness/clock.ts';
import { at, settingsWith } from '../harness/spending.ts';
import { says } from '../harness/story.ts';
import { sharedWeb } from './open-page.ts';

const DAY_MS = 86_400_000;

describe.skipIf(noBrowser)('in Chromium', () => {
  const clock = new ManualClock();
  const web = sharedWeb({ clock, settings: settingsWith({ per_day: { usd: 5 } }) });
  beforeAll(async () => {
    const { client, upstream } = web.kernel;
    upstream.next(at(0.25, says('One.')), at(1, says('Two.')));
    const { id } = await client.createChat({ title: 'Herons' });
    await client.say(id, 'One.');
    clock.advance(10 * DAY_MS);
    await client.say(id, 'Two.', { anchor: { chat_id: 1, message_id: 1, module: 'telegram' } });
  });

  test('[WEB-12] shows spending by day with dates, by model, surface and chat, and fits 360 pixels', async () => {
    const { page } = await web.visit('/usage');
    await page.setViewportSize({ width: 360, height: 740 });
    const spending = page.getByRole('region', { name: 'Spending', exact: true });
    await spending.getByText('$1.25 for 1,250 tokens').waitFor();
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    const today = day.format(clock.now());
    const before = day.format(clock.now() - 10 * DAY_MS);
    await spending
      .getByRole('img', {
        name: new RegExp(`^Cost by day from .* to ${today}\\. Most: \\$1\\.00 on ${today}\\.$`),
      })
      .waitFor();
    expect(await spending.locator('.ticks time').count()).toBe(3);
    await spending.getByText('Show as table').click();
    const rows = spending.getByRole('table', { name: 'Cost by day' }).getByRole('row');
    expect(await rows.allTextContents()).toEqual([
      'DayCostTokensTurns',
      `${today}$1.001k1`,
      `${before}$0.2502501`,
    ]);
    const bars = (name: string) =>
      spending.getByRole('list', { name }).getByRole('listitem').allTextContents();
    expect(await bars('Spending by model')).toEqual(['scripted/plain$1.25 · 1.3k']);
    expect(await bars('Spending by surface')).toEqual([
      'Telegram$1.00 · 1k',
      'Page, terminal and apps$0.250 · 250',
    ]);
    await spending.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days');
    await spending.getByText('$1.00 for 1,000 tokens').waitFor();
    // A limit that was raised already contains what was added.
    await page.getByText('This day: $1.00 of $5.00').waitFor();
    await page.getByText('Uptime').waitFor();
    await page.getByRole('list', { name: 'Tokens by chat' }).getByText('Herons').waitFor();
    const isCut = `[...document.querySelectorAll('.figures dd, .bars li')].filter(each => each.scrollWidth > each.clientWidth).length`;
    expect(await page.evaluate(isCut)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
