/** Notifications in the settings: enabled for this device, tested, listed and removed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startPushService } from '../harness/push-service.ts';
import { sharedWeb, type Visit } from './open-page.ts';

/**
 * Replaces the push service of Chromium with the one of the test, because tests must not reach external services. The page
 * runs its own code on the subscription.
 */
const withService = (subscription: object): string => `
  let own = null;
  const made = { ...${JSON.stringify(subscription)}, unsubscribe: async () => { own = null; return true; } };
  made.toJSON = () => made;
  PushManager.prototype.getSubscription = async () => own;
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    globalThis.asked = { userVisibleOnly, applicationServerKey };
    return (own = made);
  };
  Notification.requestPermission = async () => Notification.permission;`;

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  const web = sharedWeb({ settings: { push: { allow_private: true } } });
  beforeEach(async () => {
    page = await web.visit();
    // Wait until the service worker controls the page.
    await page.page.evaluate('navigator.serviceWorker.ready.then(() => {})');
    return () => page.page.context().close();
  });

  const subscriptions = async () => (await web.kernel.client.listPushSubscriptions()).subscriptions;
  const part = () => page.page.getByRole('region', { name: 'Notifications' });

  test('[WEB-3] [PUSH-1] enables notifications after permission, sends a test, and removes the device', async () => {
    const service = await startPushService();
    const phone = service.browser();
    await page.page.addInitScript(withService(phone.subscription));
    await page.page.goto(`${web.kernel.url}/settings`);
    await part().getByRole('textbox', { name: 'Device name' }).fill('Phone');
    await page.button('Enable notifications', part()).click();
    await page.page.getByText('Notifications are blocked for this site.').waitFor();
    expect(await subscriptions()).toEqual([]);

    await page.page.context().grantPermissions(['notifications'], { origin: web.kernel.url });
    await page.button('Enable notifications', part()).click();
    const row = part().getByRole('listitem').filter({ hasText: 'Phone' });
    await row.getByText('this device').waitFor();
    expect(await subscriptions()).toMatchObject([{ name: 'Phone', endpoint: phone.subscription.endpoint }]);
    const { public_key } = await web.kernel.client.getPushKey();
    expect(await page.page.evaluate('asked')).toEqual({
      userVisibleOnly: true,
      applicationServerKey: public_key,
    });
    expect(await page.button('Enable notifications', part()).count()).toBe(0);

    await page.button('Test', row).click();
    await page.page.getByText('Test notification sent.').waitFor();
    await expect.poll(() => phone.words()).toHaveLength(1);
    await page.page.reload();
    await part().getByText('Recent notifications').click();
    await part().getByText('test to Phone').waitFor();
    expect(await page.page.evaluate('document.hidden')).toBe(false);

    const remove = page.button('Remove', row);
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    expect(await subscriptions()).toEqual([]);
  });

  test('[WEB-3] [PUSH-2] shows the failure of a device, and removes another device', async () => {
    const service = await startPushService();
    const old = service.browser();
    const { id } = await web.kernel.client.subscribeToPush({ ...old.subscription, name: 'Old tablet' });
    await page.page.goto(`${web.kernel.url}/settings`);
    const row = part().getByRole('listitem').filter({ hasText: 'Old tablet' });
    service.answers.push(500);
    await page.button('Test', row).click();
    await page.page.locator('.notice.error').waitFor();
    await page.button('Remove', row).click();
    await row.first().waitFor({ state: 'detached' });
    expect((await subscriptions()).map(each => each.id)).not.toContain(id);
  });
});
