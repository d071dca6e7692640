/** The page as it is served: by the kernel itself, behind the shipped proxies with their token, and under a path. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { says } from '../harness/story.ts';
import { caddy, missing, nginx, type RunningProxy, TOKEN } from '../proxy/proxies.ts';
import { startWeb, surprising, visit, type Web } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb({ settings: { server: { public_url: 'https://chat.example.org/kernel' } } });
  });
  afterAll(() => web?.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(web.kernel.url + path, { headers });

  test('[WEB-1] the page has a strict policy, is asked for anew each time, and stands at every address that it knows', async () => {
    for (const path of ['/', '/settings', '/chats/01a2090e-16ae-72aa-917b-d8b0bde6668a']) {
      const answer = await get(path);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.headers.get('permissions-policy')).toMatch(/^microphone=\(self\), camera=\(\)/);
      expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)|<style/);
    }
    for (const path of [
      '/v1/nothing',
      '/chats',
      '/nothing',
      '/assets/nothing.js',
      '/assets/..%2findex.html',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  });

  test('[WEB-1] [WEB-6] what is named by its hash is kept for ever and comes compressed; the first view is at most 160 KB of JavaScript', async () => {
    const html = await (await get('/')).text();
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path);
    expect(scripts.length).toBeGreaterThan(0);
    let size = 0;
    for (const path of scripts) {
      const answer = await get(`/${path}`, { 'accept-encoding': 'gzip' });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      size += Number(answer.headers.get('content-length'));
      expect((await get(`/${path}`, { 'accept-encoding': 'br, gzip' })).headers.get('content-encoding')).toBe(
        'br',
      );
    }
    expect(size).toBeGreaterThan(50_000);
    expect(size).toBeLessThan(160 * 1024);
  });

  test('[WEB-1] it can be installed, and its worker keeps nothing of the API', async () => {
    const { page } = await web.visit();
    const manifest = await (await get('/manifest.webmanifest')).json();
    expect(manifest.icons.length).toBeGreaterThan(1);
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
    await page.reload();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const kept = await page.evaluate(
      'caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys())))).then(all => all.flat().map(({ url }) => new URL(url).pathname))',
    );
    expect((kept as string[]).filter(path => !/^\/(assets\/.+)?$/.test(path))).toEqual([]);
  });

  for (const kind of [nginx, caddy]) {
    const why = missing(kind.name);
    describe.skipIf(why)(`behind ${kind.name}`, () => {
      let proxy: RunningProxy;
      beforeAll(async () => {
        proxy = await kind.start(web.kernel.url);
      });
      afterAll(() => proxy?.stop());

      test(`[WEB-1] ${kind.name} lets the page through, which asks once for the token and never puts it into an address`, async () => {
        web.kernel.upstream.next(says('Welcome.'));
        const page = await visit(web.browser, `${proxy.url}/`);
        const field = page.page.getByRole('textbox', { name: 'Access token' });
        await field.fill('wrong');
        await page.button('Continue').click();
        await page.page.getByText('This token was refused.').waitFor();
        await field.fill(TOKEN);
        await page.page.getByRole('checkbox', { name: 'Keep on this device' }).check();
        await page.button('Continue').click();
        await page.say('Hello.');
        await page.log.getByText('Welcome.').waitFor();
        await page.page.reload();
        await page.log.getByText('Welcome.').waitFor();
        expect(page.requests.filter(address => address.includes(TOKEN))).toEqual([]);
        expect(surprising(page)).toEqual([]);
        // A proxy that stops waits for the streams of its visitors.
        await page.page.context().close();
      });
    });
  }

  const why = missing('nginx');
  test.skipIf(why)('[WEB-1] it works under a path', async () => {
    const proxy = await nginx.start(web.kernel.url, site =>
      site
        .replaceAll('(GET|HEAD) /', '(GET|HEAD) (?:/kernel)?/')
        .replace(
          'location / {\n        proxy_pass http://chat_kernel;',
          'location /kernel/ {\n        proxy_pass http://chat_kernel/;',
        )
        .replace(
          'location = /v1/files {',
          'location = /healthz { proxy_pass http://chat_kernel; }\n    location = /v1/files {',
        ),
    );
    web.kernel.upstream.next(says('Under a path.'));
    const page = await visit(web.browser, `${proxy.url}/kernel/`);
    await page.page.getByRole('textbox', { name: 'Access token' }).fill(TOKEN);
    await page.page.getByRole('checkbox', { name: 'Keep on this device' }).check();
    await page.button('Continue').click();
    await page.say('Hello.');
    await page.log.getByText('Under a path.').waitFor();
    expect(new URL(page.page.url()).pathname).toMatch(/^\/kernel\/chats\/[0-9a-f-]+$/);
    await page.page.reload();
    await page.log.getByText('Under a path.').waitFor();
    expect(page.requests.filter(address => !address.startsWith(`${proxy.url}/kernel/`))).toEqual([]);
    await page.page.context().close();
    await proxy.stop();
  });
});
