/** Checks the permissions of the data directory and the settings files, and the free disk space. */
import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isOpenToOthers, type Settings } from '@chat-kernel/protocol';
import { showsSecrets } from '@chat-kernel/settings';
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
      `can't access ${settings.data_dir}: ${(error as Error).message}`,
      'fix the owner of its parent directories, or choose another one with --data',
    );
  }
  if (file !== null && (await showsSecrets(file, settings))) {
    yield warning(
      'settings',
      `${file} contains a secret and is readable by other users`,
      `chmod 600 ${file}`,
    );
  }
  for (const path of await moduleFiles(settings)) yield* moduleFile(path);
}

async function* dataDirectory(path: string): AsyncGenerator<Finding> {
  const there = await statIfExists(path);
  if (there !== undefined && !there.isDirectory()) {
    yield problem(
      'data',
      `${path} is not a directory`,
      'choose another one with --data, or data_dir in the settings',
    );
    return;
  }
  const nearest = there === undefined ? await nearestExisting(path) : path;
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
  } catch {
    yield problem(
      'data',
      `this user can't write to ${nearest}`,
      `change its owner (chown), or choose another directory with --data`,
    );
    return;
  }
  if (there !== undefined && (there.mode & OTHERS) !== 0) {
    yield warning('data', `other users can read ${path}`, `chmod 700 ${path}`);
  }
  const { bavail, bsize } = await statfs(nearest);
  const free = bavail * bsize;
  if (free < LITTLE_ROOM) {
    yield warning(
      'data',
      `only ${Math.round(free / 1024 ** 2)} MiB free on the disk of ${nearest}`,
      'free some space: the server rejects messages when the disk is full',
    );
  }
  yield ok(
    'data',
    there === undefined ? `${path} will be created at the first start` : `${path} is writable`,
  );
}

async function* moduleFile(path: string): AsyncGenerator<Finding> {
  const facts = await statIfExists(path);
  if (facts === undefined || !isOpenToOthers(facts)) return;
  yield problem(
    'modules',
    `${path} is readable by other users, so its module does not start`,
    `chmod 600 ${path}`,
  );
}

/** Returns the settings files of modules: next to their folders in data_dir, and those that the settings name. */
async function moduleFiles({ data_dir, modules }: Settings): Promise<string[]> {
  const folder = join(data_dir, 'modules');
  const files = await readdir(folder).catch((): string[] => []);
  const named = Object.values(modules.servers).flatMap(({ args = [], env = {} }) => [
    ...args.filter((_, index) => args[index - 1] === '--config'),
    ...args.filter(arg => arg.startsWith('--config=')).map(arg => arg.slice('--config='.length)),
    env.MODULE_CONFIG,
  ]);
  return [
    ...files.filter(file => file.endsWith('.yaml')).map(file => join(folder, file)),
    ...named.flatMap(path => (path ? [resolve(path)] : [])),
  ];
}

/** Returns undefined if the path does not exist. */
async function statIfExists(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the nearest existing parent folder. */
async function nearestExisting(path: string): Promise<string> {
  for (let above = dirname(path); ; above = dirname(above)) if (await statIfExists(above)) return above;
}
