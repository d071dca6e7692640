/** The files below a folder, those that lie deepest last, as far as anybody wants to read their names. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MOST = 100;
const DEEPEST = 4;

/** Returns paths within the folder. Links are left out, and so is what cannot be listed. */
export async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0 && files.length < MOST; depth++) {
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
  return files.sort().slice(0, MOST);
}
