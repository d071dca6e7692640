/** Collects albums: each photo arrives as a separate update, and nothing says how many there are. */
import { setTimeout } from 'node:timers/promises';
import type { Update } from 'grammy/types';

/** Updates that form one message: the parts of an album, or a single update. */
export type Together = readonly [Update, ...Update[]];

/** Telegram delivers the parts of an album almost at the same time. */
const PAUSE_MS = 500;
const MAX_PAUSES = 3;

const albumKey = ({ message }: Update): string | undefined =>
  message?.media_group_id && `${message.chat.id} ${message.media_group_id}`;

/**
 * Waits for the remaining parts of albums: polls again until a pause brings no further part.
 * @param again repeats the poll without confirming anything, so that Telegram keeps all parts if the process is killed
 */
export async function withWholeAlbums(
  updates: Update[],
  again: () => Promise<Update[]>,
  signal: AbortSignal,
): Promise<Update[]> {
  let known = updates;
  for (let pause = 0; pause < MAX_PAUSES; pause++) {
    const parts = known.filter(albumKey).length;
    if (parts === 0) return known;
    await setTimeout(PAUSE_MS, undefined, { signal });
    known = await again();
    if (known.filter(albumKey).length === parts) return known;
  }
  return known;
}

/** Groups updates for handling, with all parts of an album at the position of its first part. */
export function together(updates: readonly Update[]): Together[] {
  const albums = new Map<string, [Update, ...Update[]]>();
  const all: Together[] = [];
  for (const update of updates) {
    const name = albumKey(update);
    const album = name === undefined ? undefined : albums.get(name);
    if (album) {
      album.push(update);
      continue;
    }
    const begun: [Update, ...Update[]] = [update];
    if (name !== undefined) albums.set(name, begun);
    all.push(begun);
  }
  return all;
}
