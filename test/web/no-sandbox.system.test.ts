/** The page says that no sandbox works, where a new chat could run commands on the server. */
import { describe, expect, test, vi } from 'vitest';
import { noBrowser } from '../browser/chromium.ts';
import { startWeb } from './open-page.ts';

describe.skipIf(noBrowser)('in Chromium', () => {
  test('[CONSENT-8] the page for a new chat says that no sandbox works', async () => {
    const web = await startWeb({ settings: { tools: { shell: { sandbox: 'auto' } } } });
    try {
      vi.stubEnv('PATH', '/nowhere');
      await web.kernel.client.listTools();
      vi.unstubAllEnvs();
      const { page } = await web.visit();
      const notice = page.getByText(/^No sandbox works on the server: bubblewrap is not installed/);
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(/commands and changes ask first\.$/);
    } finally {
      vi.unstubAllEnvs();
      await web.stop();
    }
  });
});
