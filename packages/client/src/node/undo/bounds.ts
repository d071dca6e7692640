/** How much is kept: of a chat the oldest edits go first, of all chats the one that was edited longest ago. */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Shadow } from './shadow.ts';

export interface UndoLimits {
  /** The largest file that is kept. */
  max_file_bytes: number;
  /** On the disk, for the edits of one chat. */
  max_chat_bytes: number;
  /** The same for all chats; 0: nothing is kept. */
  max_total_bytes: number;
}

/** Packs above which they become one: git looks for an object in each. */
const MANY_PACKS = 50;
const GONE = '.gone-';

/** Drops what is too much of a chat, after something was kept. */
export async function dropOldest(shadow: Shadow, limits: UndoLimits): Promise<void> {
  const { bytes, files } = await roomOf(shadow.directory);
  if (bytes > limits.max_chat_bytes) await halve(shadow);
  else if (files > 2 * MANY_PACKS) await shadow.pack();
}

/** Removes what is kept of chats that were edited longest ago, until the others have room. */
export async function dropChats(directory: string, limits: UndoLimits): Promise<void> {
  const chats = await chatsIn(directory);
  let total = chats.reduce((sum, chat) => sum + chat.bytes, 0);
  for (const chat of chats) {
    if (total <= limits.max_total_bytes) break;
    await removeChat(chat.path);
    total -= chat.bytes;
  }
}

/** Removes all that is kept of a chat. It first goes by another name: half of it must not be taken for the whole. */
export async function removeChat(path: string): Promise<void> {
  const gone = join(dirname(path), `${GONE}${randomUUID()}`);
  try {
    await rename(path, gone);
  } catch {
    // Nothing was kept, or another process has removed it.
    return;
  }
  await rm(gone, { recursive: true, force: true });
}

/** Drops the older half of the edits; where that fails, all of them, for a bound is a bound. */
async function halve(shadow: Shadow): Promise<void> {
  try {
    const ids = await shadow.ids();
    await shadow.drop(ids.slice(0, Math.ceil(ids.length / 2)));
  } catch {
    await removeChat(shadow.directory);
  }
}

/** The chats of which something is kept, that which was edited longest ago first. */
async function chatsIn(directory: string): Promise<{ path: string; bytes: number; at: number }[]> {
  const names = await readdir(directory).catch(() => []);
  const chats = await Promise.all(
    names.map(async name => {
      const path = join(directory, name);
      // What a killed process did not remove to its end.
      if (name.startsWith(GONE)) await rm(path, { recursive: true, force: true });
      if (!name.endsWith('.git')) return undefined;
      return { path, ...(await roomOf(path)) };
    }),
  );
  return chats.filter(chat => chat !== undefined).toSorted((a, b) => a.at - b.at);
}

/** The packs of a repository: what else it has is small. */
async function roomOf(path: string): Promise<{ bytes: number; files: number; at: number }> {
  const packs = join(path, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const facts = await Promise.all(names.map(name => stat(join(packs, name)).catch(() => undefined)));
  const found = facts.filter(each => each !== undefined);
  return {
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    files: found.length,
    at: Math.max(0, ...found.map(({ mtimeMs }) => mtimeMs)),
  };
}
