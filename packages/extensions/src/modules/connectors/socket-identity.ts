/** Which socket it is: another one at the same place is another module, or the same one started anew. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The number alone may be given to the next file, and the time of its last change may change. */
export const identityOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`;

/** Undefined: there is none. @param look `lstat`, where links do not count */
export async function socketAt(path: string, look: typeof stat = stat): Promise<string | undefined> {
  const stats = await look(path, { bigint: true }).catch(() => undefined);
  return stats?.isSocket() ? identityOf(stats) : undefined;
}
