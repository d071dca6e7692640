/** Permissions of the data directory and the settings file, and the room on the disk. */
import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '@chat-kernel/protocol';
import { secretsOf } from '../settings/secrets.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Bytes. */
const LITTLE_ROOM = 1024 ** 3;
/** Permissions of other users and of the group. */
const OTHERS = 0o077;

export async function* checkPermissions(settings: Settings, file: string | null): AsyncGenerator<Finding> {
  try {
    yield* dataDirectory(settings.data_dir);
  } catch (error) {
    yield problem(
      'data',
      `${settings.data_dir} can't be looked at: ${(error as Error).message}`,
      'become the owner of the directories above it, or name another one with --data',
    );
  }
  if (file !== null) yield* settingsFile(file, settings);
}

async function* dataDirectory(path: string): AsyncGenerator<Finding> {
  const there = await statOf(path);
  if (there !== undefined && !there.isDirectory()) {
    yield problem(
      'data',
      `${path} is no directory`,
      'name another one with --data, or data_dir in the settings',
    );
    return;
  }
  const nearest = there === undefined ? await nearestExisting(path) : path;
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
  } catch {
    yield problem(
      'data',
      `${nearest} can't be written by this user`,
      `become its owner (chown), or name another directory with --data`,
    );
    return;
  }
  if (there !== undefined && (there.mode & OTHERS) !== 0) {
    yield warning('data', `other users may look into ${path}`, `chmod 700 ${path}`);
  }
  const { bavail, bsize } = await statfs(nearest);
  const free = bavail * bsize;
  if (free < LITTLE_ROOM) {
    yield warning(
      'data',
      `only ${Math.round(free / 1024 ** 2)} MiB are left on the disk of ${nearest}`,
      'make room: a message that does not fit is refused',
    );
  }
  yield ok(
    'data',
    there === undefined ? `${path} will be made at the first start` : `${path} can be written`,
  );
}

async function* settingsFile(file: string, settings: Settings): AsyncGenerator<Finding> {
  const { mode } = await stat(file);
  const text = await readFile(file, 'utf8');
  const holdsSecret = secretsOf(settings, {}).some(secret => text.includes(secret));
  if (holdsSecret && (mode & OTHERS) !== 0) {
    yield warning('settings', `${file} holds a secret, and other users may read it`, `chmod 600 ${file}`);
  }
}

/** Returns undefined where nothing has this path. */
async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the first folder above the path that exists. */
async function nearestExisting(path: string): Promise<string> {
  for (let above = dirname(path); ; above = dirname(above)) if (await statOf(above)) return above;
}
