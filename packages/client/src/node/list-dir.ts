/** All that is in a folder, level by level, so that what lies deepest is left out where there is too much. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderEntry } from '../hands/hands.ts';

const MOST = 1000;
const DEEPEST = 4;

/** Links are left out: one could lead anywhere. A folder that is not there has no entries. */
export async function listDir(folder: string): Promise<{ entries: FolderEntry[] }> {
  const entries: FolderEntry[] = [];
  let level = [''];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const inside of level) {
      const found = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const each of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (entries.length === MOST) return { entries };
        if (!each.isFile() && !each.isDirectory()) continue;
        const path = inside === '' ? each.name : `${inside}/${each.name}`;
        const facts = await stat(join(folder, path)).catch(() => undefined);
        if (facts === undefined) continue;
        const type = each.isDirectory() ? 'directory' : 'file';
        entries.push({ path, type, size: facts.size, mtime_ms: Math.floor(facts.mtimeMs) });
        if (type === 'directory') next.push(path);
      }
    }
    level = next;
  }
  return { entries };
}
