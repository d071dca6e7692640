/** The token prompt of the page: the token is masked, can be shown, and password managers can fill it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startWeb, type Web } from './open-page.ts';

const TOKEN = 'a token of the proxy';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb();
  });
  afterAll(() => web?.stop());

  /** Opens the page of a kernel behind a proxy that wants a token. */
  async function visit() {
    const { page } = await web.browser.open();
    await page.route('**/v1/**', async route => {
      const token = await route.request().headerValue('x-service-token');
      await (token === TOKEN ? route.continue() : route.fulfill({ status: 401 }));
    });
    await page.goto(web.kernel.url);
    const field = page.getByRole('textbox', { name: 'Access token', exact: true });
    await field.waitFor();
    return { page, field };
  }

  test('[WEB-2] masks the token while it is typed, and shows it on request', async () => {
    const { page, field } = await visit();
    expect(await field.evaluate('document.activeElement.labels[0].textContent')).toBe('Access token');
    await page.keyboard.type('a token');
    expect(await field.getAttribute('type')).toBe('password');
    const show = page.getByRole('button', { name: 'Show', exact: true });
    expect(await show.getAttribute('aria-pressed')).toBe('false');
    await show.click();
    expect(await show.getAttribute('aria-pressed')).toBe('true');
    expect(await field.getAttribute('type')).toBe('text');
    // The field keeps the focus and the position.
    await page.keyboard.type(' of the proxy');
    expect(await field.inputValue()).toBe(TOKEN);
    await show.click();
    expect(await field.getAttribute('type')).toBe('password');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await page.context().close();
  });

  test('[WEB-2] has the fields by which password managers store and fill the token', async () => {
    const { page, field } = await visit();
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    const name = page.locator('form input[autocomplete="username"]');
    expect([await name.inputValue(), await name.isVisible()]).toEqual(['Chat Kernel', false]);
    expect(await page.getByRole('textbox').count()).toBe(1);
    // Managers set the value and send an event of input.
    await field.evaluate(`(() => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      const field = document.querySelector('input[autocomplete="current-password"]');
      set.call(field, ${JSON.stringify(TOKEN)});
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await page.context().close();
  });
});
