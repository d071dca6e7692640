/** Configures the build of the page. All its addresses are relative, so that it works under any path. */
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';

/** @param root of the repository @param modules receives the bundled files of other packages */
export const configOf = (root: string, outDir: string, modules: Set<string>): InlineConfig => ({
  root: join(root, 'apps/web'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  plugins: [noting(modules)],
  worker: { format: 'es', plugins: () => [noting(modules)] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy of the page blocks inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});

const noting = (modules: Set<string>): Plugin => ({
  name: 'modules',
  moduleParsed({ id }) {
    const file = id.split('?', 1)[0] as string;
    if (file.startsWith('/') && file.includes('/node_modules/')) modules.add(file);
  },
});
