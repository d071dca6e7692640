/** Word to devices in the settings: switched on for this one, tried, seen in what was sent lately, and switched off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startPushService } from '../harness/push-service.ts';
import { startWeb, type Visit, type Web } from './open-page.ts';

/**
 * In the page: the push service of the test in place of the one that Chromium would register with at its maker, which no test
 * may reach. What the page does with what it gets is the page's own.
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
  let web: Web;
  let page: Visit;
  beforeAll(async () => {
    web = await startWeb({ settings: { push: { allow_private: true } } });
    page = await web.visit();
    // The worker takes the page over, as it does before anybody finds the settings.
    await page.page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  });
  afterAll(() => web?.stop());

  const subscriptions = async () => (await web.kernel.client.listPushSubscriptions()).subscriptions;
  const part = () => page.page.getByRole('region', { name: 'Word to this device' });

  test('[WEB-3] [PUSH-1] a device gets word once its owner and the browser agree, a test, and no more once it is removed', async () => {
    const service = await startPushService();
    const phone = service.browser();
    await page.page.addInitScript(withService(phone.subscription));
    await page.page.goto(`${web.kernel.url}/settings`);
    await part().getByRole('textbox', { name: 'Name of this device' }).fill('Phone');
    await page.button('Send word here', part()).click();
    await page.page.getByText('The browser shows no messages of this page.').waitFor();
    expect(await subscriptions()).toEqual([]);

    await page.page.context().grantPermissions(['notifications'], { origin: web.kernel.url });
    await page.button('Send word here', part()).click();
    const row = part().getByRole('listitem').filter({ hasText: 'Phone' });
    await row.getByText('this device').waitFor();
    expect(await subscriptions()).toMatchObject([{ name: 'Phone', endpoint: phone.subscription.endpoint }]);
    const { public_key } = await web.kernel.client.getPushKey();
    expect(await page.page.evaluate('asked')).toEqual({
      userVisibleOnly: true,
      applicationServerKey: public_key,
    });
    expect(await page.button('Send word here', part()).count()).toBe(0);

    await page.button('Test', row).click();
    await page.page.getByText('A test is on its way.').waitFor();
    await expect.poll(() => phone.words()).toHaveLength(1);
    await page.page.reload();
    await part().getByText('Sent lately').click();
    await part().getByText('test to Phone').waitFor();
    expect(await page.page.evaluate('document.hidden')).toBe(false);
  });

  test('[WEB-3] [PUSH-2] a device that fails is told apart, and another one is removed from here', async () => {
    const service = await startPushService();
    const old = service.browser();
    const { id } = await web.kernel.client.subscribeToPush({ ...old.subscription, name: 'Old tablet' });
    await page.page.reload();
    const row = part().getByRole('listitem').filter({ hasText: 'Old tablet' });
    service.answers.push(500);
    await page.button('Test', row).click();
    await page.page.locator('.notice.error').waitFor();
    await page.button('Remove', row).click();
    await row.first().waitFor({ state: 'detached' });
    expect((await subscriptions()).map(each => each.id)).not.toContain(id);
  });
});
