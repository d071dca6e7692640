/** What the web client is built of, and whether a build is of exactly that. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** In the built folder: the hash of its sources. */
export const STAMP = 'sources.txt';
/** In the built folder: the files of other packages that it is made of, for their licences. */
export const MODULES = 'modules.txt';
const SOURCES = [
  'apps/web/{src,public}/**/*',
  '{apps/web/{index.html,package.json},scripts/web/*.ts}',
  'packages/{client,markdown}/src/**/*.ts',
  'package-lock.json',
];

export function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root }).filter(file => statSync(join(root, file)).isFile());
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

export function wasBuiltOf(place: string, hash: string): boolean {
  const stamp = join(place, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

/** The files of other packages in the built web client. @param root of the repository */
export const modulesOfWeb = (root: string): string[] =>
  readFileSync(join(root, 'apps/web/dist', MODULES), 'utf8')
    .split('\n')
    .map(file => join(root, file));
