/**
 * Limits the size of stored edits: a chat drops its oldest edits, and the store drops the chats that were edited
 * longest ago.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Shadow } from './shadow.ts';

export interface UndoLimits {
  /** The largest file whose state is stored. */
  max_file_bytes: number;
  /** Disk space for the edits of one chat. */
  max_chat_bytes: number;
  /** Disk space for all chats; 0: nothing is stored. */
  max_total_bytes: number;
}

/** Number of packs above which they are merged: git searches each of them for an object. */
const MANY_PACKS = 50;
const GONE = '.gone-';

/** Drops what exceeds the limit of a chat, after an edit was stored. */
export async function dropOldest(shadow: Shadow, limits: UndoLimits): Promise<void> {
  const { bytes, files } = await measurePacks(shadow.directory);
  if (bytes > limits.max_chat_bytes) await halve(shadow);
  else if (files > 2 * MANY_PACKS) await shadow.pack();
}

/** Removes the edits of chats that were edited longest ago, until the others fit. */
export async function dropChats(directory: string, limits: UndoLimits): Promise<void> {
  const chats = await chatsIn(directory);
  let total = chats.reduce((sum, chat) => sum + chat.bytes, 0);
  for (const chat of chats) {
    if (total <= limits.max_total_bytes) break;
    await removeChat(chat.path);
    total -= chat.bytes;
  }
}

/** Removes all stored edits of a chat. It is renamed first, so that a half-deleted repository is never used. */
export async function removeChat(path: string): Promise<void> {
  const doomed = join(dirname(path), `${GONE}${randomUUID()}`);
  try {
    await rename(path, doomed);
  } catch {
    // The chat has no stored edits, or another process has removed them.
    return;
  }
  await rm(doomed, { recursive: true, force: true });
}

/** Drops the older half of the edits. If that fails, drops all of them, because the limit must hold. */
async function halve(shadow: Shadow): Promise<void> {
  try {
    const ids = await shadow.ids();
    await shadow.drop(ids.slice(0, Math.ceil(ids.length / 2)));
  } catch {
    await removeChat(shadow.directory);
  }
}

/** The chats with stored edits; those edited longest ago first. */
async function chatsIn(directory: string): Promise<{ path: string; bytes: number; at: number }[]> {
  const names = await readdir(directory).catch(() => []);
  const chats = await Promise.all(
    names.map(async name => {
      const path = join(directory, name);
      // Remove what a killed process has not finished to delete.
      if (name.startsWith(GONE)) await rm(path, { recursive: true, force: true });
      if (!name.endsWith('.git')) return undefined;
      return { path, ...(await measurePacks(path)) };
    }),
  );
  return chats.filter(chat => chat !== undefined).toSorted((a, b) => a.at - b.at);
}

/** Measures the packs of a repository; everything else in it is small. */
async function measurePacks(path: string): Promise<{ bytes: number; files: number; at: number }> {
  const packs = join(path, 'objects', 'pack');
  const names = await readdir(packs).catch(() => []);
  const stats = await Promise.all(names.map(name => stat(join(packs, name)).catch(() => undefined)));
  const found = stats.filter(each => each !== undefined);
  return {
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    files: found.length,
    at: Math.max(0, ...found.map(({ mtimeMs }) => mtimeMs)),
  };
}
