/** Lists the files below a folder, up to limits of depth and number. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_FILES = 100;
const DEEPEST = 4;

/** Returns paths within the folder. Omits links and everything that cannot be listed. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && files.length < MAX_FILES; depth++) {
    const next: string[] = [];
    for (const inside of level) {
      const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (entry.isFile()) files.push(path);
        else if (entry.isDirectory()) next.push(path);
      }
    }
    level = next;
  }
  return files.sort().slice(0, MAX_FILES);
}
