/** Writes the addresses of the page for the kernel and for the proxies in deploy/. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESSES, PAGES, RESERVED } from '../apps/web/src/nav/pages.ts';

const SOURCE = 'apps/web/src/nav/pages.ts';
const COPY = 'packages/server/src/web/pages.ts';
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
  return { [COPY]: copy(), ...Object.fromEntries(proxies) };
}

function copy(): string {
  const list = (values: readonly string[]) => values.map(value => `  '${value}',\n`).join('');
  return `// Written from ${SOURCE}: \`npm run docs\` regenerates it, \`npm run check\` compares it. Not to be edited.

/** The addresses of the page. */
export const ADDRESSES: readonly string[] = [
${list(ADDRESSES)}];

/** First segments that are not addresses of the page. */
export const RESERVED: readonly string[] = [
${list(RESERVED)}];
`;
}
