/** Looks for names in a directory and in each above it: the kernel finds project files so. */
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

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

/**
 * Returns the names that exist. A name that may not be looked at counts as absent, and so does a link out of the directory:
 * a project could bring any file of its reader into a prompt by one.
 */
async function existing(directory: string, names: readonly string[]): Promise<string[]> {
  const looks = await Promise.allSettled(names.map(name => isOf(directory, name)));
  return names.filter((_, index) => {
    const look = looks[index];
    return look?.status === 'fulfilled' && look.value;
  });
}

async function isOf(directory: string, name: string): Promise<boolean> {
  const [home, real] = await Promise.all([realpath(directory), realpath(join(directory, name))]);
  return real.startsWith(home.endsWith(sep) ? home : home + sep);
}
