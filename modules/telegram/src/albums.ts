/** Albums: each of their photos comes as an update of its own, and nothing says how many there are. */
import { setTimeout } from 'node:timers/promises';
import type { Update } from 'grammy/types';

/** Updates that are one thing said: the parts of an album, or one alone. */
export type Together = readonly [Update, ...Update[]];

/** Telegram hands out the parts of an album within a moment of each other. */
const PAUSE_MS = 500;
const MOST_PAUSES = 3;

const albumOf = ({ message }: Update): string | undefined =>
  message?.media_group_id && `${message.chat.id} ${message.media_group_id}`;

/**
 * Waits for the rest of albums: asks again until a pause brings no further part.
 * @param again the same poll: as nothing is confirmed meanwhile, a kill leaves all parts with Telegram
 */
export async function withWholeAlbums(
  updates: Update[],
  again: () => Promise<Update[]>,
  signal: AbortSignal,
): Promise<Update[]> {
  let known = updates;
  for (let pause = 0; pause < MOST_PAUSES; pause++) {
    const parts = known.filter(albumOf).length;
    if (parts === 0) return known;
    await setTimeout(PAUSE_MS, undefined, { signal });
    known = await again();
    if (known.filter(albumOf).length === parts) return known;
  }
  return known;
}

/** The updates as they are to be taken: the parts of an album in the place of its first. */
export function together(updates: readonly Update[]): Together[] {
  const albums = new Map<string, [Update, ...Update[]]>();
  const all: Together[] = [];
  for (const update of updates) {
    const name = albumOf(update);
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
