/** MCP servers in the page: status, sign-in and sign-out. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startHosted } from '../harness/hosted.ts';
import { back, becomes, end, settingsWith } from '../harness/signing-in.ts';
import { startWeb } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  test('[WEB-2] [MCP-5] signs in to an MCP server through its page, and signs out', async () => {
    const hosted = await startHosted();
    const web = await startWeb({ settings: settingsWith(hosted) });
    onTestFinished(() => web.stop());
    await becomes(web.kernel, { sign_in: 'needed' });
    const page = await web.visit('/modules');
    const row = page.page.getByRole('listitem').filter({ has: page.page.getByText('desk', { exact: true }) });
    await row.getByText('sign-in required').waitFor();
    await page.button('Sign in', row).click();
    const link = row.getByRole('link', { name: 'Open sign-in page' });
    const address = new URL((await link.getAttribute('href')) ?? '');
    expect(address.origin).toBe(hosted.issuer);
    expect(await link.getAttribute('rel')).toMatch(/noopener noreferrer/);
    expect((await end(await back(address))).status).toBe(200);
    await becomes(web.kernel, { status: 'up', sign_in: 'done' });
    // As when the user returns to this page.
    await page.page.evaluate("window.dispatchEvent(new Event('focus'))");
    await row.getByText('up', { exact: true }).waitFor();
    await page.button('Sign out', row).click();
    await becomes(web.kernel, { sign_in: 'needed' });
    await page.button('Sign in', row).waitFor();
  });
});
