/** How the page is built. All addresses in it are relative, so that it works under any path. */
import { join } from 'node:path';
import type { InlineConfig } from 'vite';

/** @param root of the repository */
export const configOf = (root: string, outDir: string): InlineConfig => ({
  root: join(root, 'apps/web'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page lets nothing in that is written into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
