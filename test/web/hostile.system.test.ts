/** Untrusted text from models, files and people cannot run, load, hide link targets or imitate controls. */
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { says } from '../harness/story.ts';
import { sharedWeb, surprising, type Visit } from './open-page.ts';

const HOSTILE = `<script>globalThis.ran = 1</script>
<img src="http://elsewhere.test/a.png" onerror="globalThis.ran = 2">

<dialog open><button>Allow once</button></dialog>

![picture](http://elsewhere.test/b.png)

[safe.example](https://evil.example/path) [script](javascript:globalThis.ran=3) [data](data:text/html,x)

<iframe src="http://elsewhere.test/"></iframe> <style>* { display: none }</style>

| a | <b onclick="globalThis.ran = 4">b</b> |
|---|---|
| <svg onload="globalThis.ran = 5"> | c |

$\\href{javascript:globalThis.ran=6}{x}$ and $x^2$

\`\`\`html
<script>globalThis.ran = 7</script>
\`\`\`
`;

describe.skipIf(noBrowser)('in Chromium', () => {
  let page: Visit;
  const web = sharedWeb();
  beforeAll(async () => {
    web.kernel.upstream.next(says(HOSTILE));
    page = await web.visit();
    await page.say('<b>Bold</b> <script>globalThis.ran = 8</script>');
    await page.log.getByText('globalThis.ran = 7').waitFor();
    await page.idle();
  });

  test('[WEB-5] shows hostile HTML as text that does not run, load or become a control', async () => {
    const answer = page.articles('agent_message');
    expect(await page.page.evaluate('globalThis.ran')).toBe(undefined);
    expect(
      await answer
        .locator('script, img, iframe, style, dialog, svg:not(.icon), [onclick], [onerror], [onload]')
        .count(),
    ).toBe(0);
    expect(await page.page.getByRole('dialog').count()).toBe(0);
    expect(await page.button('Allow once').count()).toBe(0);
    expect(await page.articles('user_message').locator('.words').textContent()).toContain('<b>Bold</b>');
    expect(
      page.requests.filter(address => !address.startsWith(web.kernel.url) && !/^(data|blob):/.test(address)),
    ).toEqual([]);
    expect(web.browser.departures).toEqual([]);
    expect(surprising(page)).toEqual([]);
  });

  test('[WEB-5] shows the host of a link, and makes only web addresses links', async () => {
    const answer = page.articles('agent_message');
    const link = answer.getByRole('link', { name: 'safe.example' });
    expect(await link.getAttribute('href')).toBe('https://evil.example/path');
    expect(await link.getAttribute('rel')).toContain('noopener');
    await answer.getByText('(evil.example)').waitFor();
    expect(await answer.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);
    await answer.getByText('javascript:globalThis.ran=3').waitFor();
  });

  test('[WEB-5] renders formulas as MathML without links', async () => {
    const answer = page.articles('agent_message');
    await answer.locator('math msup').waitFor();
    expect(await answer.locator('math [href], math a').count()).toBe(0);
  });

  test('[WEB-5] makes the browser reject strings that would become HTML', async () => {
    // A separate page, because this logs an error.
    const own = await web.visit();
    const refused = await own.page.evaluate(
      "(() => { try { document.body.innerHTML = '<b>x</b>'; return false; } catch { return true; } })()",
    );
    expect(refused).toBe(true);
  });
});
