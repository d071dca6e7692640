/** Identifies a socket: a new one at the same path belongs to another module, or to a restarted one. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * The inode is not enough, because the next file may get the same one. The time of the last change is not used, because
 * it may change.
 */
export const toSocketIdentity = ({ dev, ino, birthtimeNs }: BigIntStats): string =>
  `${dev}:${ino}:${birthtimeNs}`;

/** Returns undefined if there is no socket. @param look `lstat` to ignore links */
export async function socketAt(path: string, look: typeof stat = stat): Promise<string | undefined> {
  const stats = await look(path, { bigint: true }).catch(() => undefined);
  return stats?.isSocket() ? toSocketIdentity(stats) : undefined;
}
