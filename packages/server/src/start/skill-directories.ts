/** Lists the folders that are searched for skills (SKILL-1). */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';

/** In a checkout and in the shipped package, it is in the root of the package. */
const SHIPPED = join(import.meta.dirname, '../../skills');

/** The folders, the nearest last. Relative folders belong to working directories. @param home replaces ~ */
export function skillDirectories(
  { skills, data_dir }: Pick<Settings, 'data_dir' | 'skills'>,
  home = homedir(),
): string[] {
  const usual = [join(data_dir, 'skills'), join(home, '.config/chat-kernel/skills'), '.agents/skills'];
  const places = skills.paths?.map(path =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path,
  );
  return [...(skills.shipped ? [SHIPPED] : []), ...(places ?? usual)];
}

/** The real paths of those that are on this machine: models may read the files in them. */
export const readableSkills = (places: readonly string[]): string[] =>
  places.filter(isAbsolute).map(realPath);

/** The path that a missing folder would have, resolved as far as its parents exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = join(path, '..');
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
