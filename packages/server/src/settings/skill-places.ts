/** The folders in which skills are looked for (SKILL-1). */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';

/** In a checkout, and in what ships, it lies in the root of the package. */
const SHIPPED = join(import.meta.dirname, '../../skills');

/** The folders, the nearest last; relative ones are of working directories. @param home replaces ~ */
export function skillPlaces(
  { skills, data_dir }: Pick<Settings, 'data_dir' | 'skills'>,
  home = homedir(),
): string[] {
  const usual = [join(data_dir, 'skills'), join(home, '.config/chat-kernel/skills'), '.agents/skills'];
  const places = skills.paths?.map(path =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path,
  );
  return [...(skills.shipped ? [SHIPPED] : []), ...(places ?? usual)];
}

/** The real paths of those that are folders of this machine: models may read the files in them. */
export const readableSkills = (places: readonly string[]): string[] =>
  places.filter(isAbsolute).map(realPath);

/** Of a folder that is not there yet, the path under which it would come to be, as far as its parents are there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = join(path, '..');
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}
