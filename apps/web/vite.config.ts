/** The build of the page. All addresses in it are relative, so that it works under any path. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // `npx vite apps/web` shows the sources as they are, beside a kernel on its usual port.
  server: { proxy: { '/v1': 'http://127.0.0.1:8787', '/images': 'http://127.0.0.1:8787' } },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // The policy of the page lets nothing in that is written into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
