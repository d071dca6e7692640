/** Determines the sources of the web client, and whether a build was made from exactly these. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** In the built folder: the hash of its sources. */
export const STAMP = 'sources.txt';
/** In the built folder: the bundled files of other packages, for their licenses. */
export const MODULES = 'modules.txt';
const SOURCES = [
  'apps/web/{src,public}/**/*',
  '{apps/web/{index.html,package.json},scripts/web/*.ts}',
  'packages/{base/src,client/src,protocol/src/tables}/**/*.ts',
  'packages/text/src/**/*.ts',
  'package-lock.json',
];

/** @throws Error if sources have been moved: otherwise changes of them would build nothing */
export function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap(pattern => {
    const found = globSync(pattern, { cwd: root }).filter(file => statSync(join(root, file)).isFile());
    if (found.length === 0)
      throw new Error(`${pattern} has no files, so it is not a source of the web client.`);
    return found;
  });
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
