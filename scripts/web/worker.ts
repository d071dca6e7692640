/** Completes the service worker with the facts that only the build has, so that it can cache the whole page. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESSES, RESERVED } from '../../apps/web/src/nav/pages.ts';

/**
 * @param folder of the built page
 * @param hash of its sources: each build is another worker, so that browsers install it
 */
export function completeWorker(folder: string, hash: string): void {
  const file = join(folder, 'service-worker.js');
  const build = {
    id: hash.slice(0, 16),
    // Mermaid is larger than everything else together, and is cached with the first diagram.
    assets: globSync('assets/*.{js,css}', { cwd: folder })
      .filter(name => !name.startsWith('assets/mermaid'))
      .sort(),
    addresses: ADDRESSES,
    reserved: RESERVED,
  };
  writeFileSync(file, `const BUILD = ${JSON.stringify(build)};\n${readFileSync(file, 'utf8')}`);
}
