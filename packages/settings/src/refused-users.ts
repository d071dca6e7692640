/** Remembers which users of the machine a kernel refused (CONSENT-11), for the doctor and the next start. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const RefusedUsers = z.array(z.object({ uid: z.int().nonnegative(), at: z.iso.datetime() }));
export type RefusedUser = z.infer<typeof RefusedUsers>[number];

/** The newest are kept: a user can have thousands of user ids, such as those of containers. */
const MAX_USERS = 16;
/**
 * After a month the doctor no longer has to name a program: it is probably gone or repaired. Otherwise its next refusal by a
 * kernel that has started since is stored again.
 */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const refusedFilePath = (data_dir: string): string => join(data_dir, 'refused-users.json');
const run = promisify(execFile);

/** Returns the users who were refused in the last 30 days, newest last; none if the file is missing or damaged. */
export function readRefusedUsers(data_dir: string): RefusedUser[] {
  try {
    const users = RefusedUsers.parse(JSON.parse(readFileSync(refusedFilePath(data_dir), 'utf8')));
    return users.filter(({ at }) => Date.parse(at) > Date.now() - KEPT_MS);
  } catch {
    return [];
  }
}

/** @throws if the file cannot be written */
export function addRefusedUser(data_dir: string, uid: number): void {
  const others = readRefusedUsers(data_dir).filter(user => user.uid !== uid);
  const users = [...others, { uid, at: new Date().toISOString() }].slice(-MAX_USERS);
  writeFileSync(refusedFilePath(data_dir), `${JSON.stringify(users)}\n`, { mode: 0o600 });
}

/** Returns the id of a user of this machine, or undefined. */
export async function findUserId(name: string): Promise<number | undefined> {
  const id = await idOf(['-u', '--', name]);
  return id === undefined ? undefined : Number(id);
}

/** Returns the name of a user of this machine, or their id in words. */
export const describeUser = async (uid: number): Promise<string> =>
  (await idOf(['-nu', '--', String(uid)])) ?? `the user id ${uid}`;

async function idOf(args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run('id', args)).stdout.trim();
  } catch {
    return undefined;
  }
}
