/** Writes the addresses of the page for the proxies in deploy/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '../apps/web/src/nav/pages.ts';

const PROXIES = ['deploy/nginx.conf', 'deploy/Caddyfile'];
/** In both proxies: the pages that they serve without the token. */
const SERVED = /\(chats\/\[0-9A-Za-z-\]\+(?:\|[a-z]+)*\)\?/g;

/** Path from the root → the required text. @throws Error if a proxy has no list of pages, or several */
export function webPages(root: string): Record<string, string> {
  const served = `(chats/[0-9A-Za-z-]+${PAGES.map(({ path }) => path.replace('/', '|')).join('')})?`;
  const proxies = PROXIES.map(file => {
    const text = readFileSync(join(root, file), 'utf8');
    if (text.match(SERVED)?.length !== 1) throw new Error(`${file} needs one list of pages, as ${SERVED}`);
    return [file, text.replace(SERVED, served)];
  });
  return Object.fromEntries(proxies);
}
