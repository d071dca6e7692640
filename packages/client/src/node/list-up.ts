/** Looks for names in a directory and in each above it: the kernel finds project files so. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export async function listUp(
  directory: string,
  names: readonly string[],
): Promise<{ dirs: { dir: string; found: string[] }[] }> {
  const dirs = upwards(directory).map(async dir => ({ dir, found: await existing(dir, names) }));
  return { dirs: await Promise.all(dirs) };
}

function upwards(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}

/** Returns the names that exist; a name that may not be looked at counts as absent. */
async function existing(directory: string, names: readonly string[]): Promise<string[]> {
  const looks = await Promise.allSettled(names.map(name => stat(join(directory, name))));
  return names.filter((_, index) => looks[index]?.status === 'fulfilled');
}
