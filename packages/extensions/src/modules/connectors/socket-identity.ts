/** The identity of a socket: a new one at the same path belongs to another module, or to the same one started anew. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The inode alone would not do: the next file may get the same one. The time of the last change may change. */
export const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`;

/** Returns undefined where there is no socket. @param look `lstat`, where links do not count */
export async function socketAt(path: string, look: typeof stat = stat): Promise<string | undefined> {
  const stats = await look(path, { bigint: true }).catch(() => undefined);
  return stats?.isSocket() ? identityOf(stats) : undefined;
}
