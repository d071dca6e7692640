/** Checks that links of the Markdown pages lead to existing files and headings. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Pages that are written for another location: a new module, and the README of the published client. */
const FOR_OTHER_PLACES = /\/templates\/|^packages\/client\/npm\.md$/;
const pages = globSync('**/*.md', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**', '**/coverage/**'],
}).filter(page => !FOR_OTHER_PLACES.test(page));

const proseOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replace(/^ *```.*?^ *```$/gms, '');

/** Builds the anchor of a heading as GitHub does. */
const toAnchor = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsIn = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(page), path) : page;
  const file = join(ROOT, target);
  if (!existsSync(file)) return true;
  return anchor !== undefined && statSync(file).isFile() && !anchorsIn(target).includes(anchor);
}

it.each(pages)('%s has no broken links', page => {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  const local = links.filter(link => !/^(https?:|mailto:|\/)/.test(link));
  expect(local.filter(link => isBroken(page, link))).toEqual([]);
});
