/** Tests the page that replaces the web client while that is being built, or if it is missing. */
import { Settings } from '@chat-kernel/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../src/app.ts';
import type { AppServices } from '../src/http/route.ts';
import { Metrics } from '../src/metrics/metrics.ts';
import { routes } from '../src/routes/web.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

it.each([
  ['is being built', 'vite', '1'],
  ['is not built', null, undefined],
])('[WEB-1] shows that the client %s, and reloads only while that may help', async (says, building, refresh) => {
  const app = await openApp(
    {
      settings: Settings.parse({}),
      log,
      metrics: new Metrics(),
      version: '1.2.3',
      web: { building, page: () => Promise.resolve(null) },
    } as unknown as AppServices,
    routes,
  );
  onTestFinished(() => app.close());
  const { headers, body } = await app.inject('/');
  expect(body).toContain(`The web client ${says}`);
  expect(headers.refresh).toBe(refresh);
});
