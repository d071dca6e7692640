/**
 * Keeps copies of package caches, which commands in the sandbox can write (CONSENT-9): one for each working directory, so that a
 * command changes no cache of other projects, or of programs outside of the sandbox.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, opendir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isWithin, type MachinePaths } from '../machine/machine-path.ts';

export interface CacheMount {
  /** The real path of the cache, where commands see the copy. */
  path: string;
  copy: string;
}

export class CacheCopies {
  readonly #caches: readonly string[];
  readonly #directory: string;
  /** The copies that are being made, by their path. */
  readonly #begun = new Map<string, Promise<void>>();
  /** The working directories whose copies this process has used, by their hash. */
  readonly #used = new Set<string>();
  /** The copies that are being deleted. */
  #cleaning: Promise<void> = Promise.resolve();

  /**
   * @param caches absolute paths of directories, or in the home directory with ~
   * @param directory where the copies are stored
   */
  constructor(caches: readonly string[], directory: string) {
    this.#caches = caches;
    this.#directory = directory;
  }

  /** Deletes copies that no command has used for a month, and the oldest ones if all take too much space. */
  async clean(limits = CACHE_LIMITS): Promise<void> {
    const failures: unknown[] = [];
    for (const name of await listOldCopies(this.#directory, limits)) {
      if (this.#used.has(name)) continue;
      this.#cleaning = rm(join(this.#directory, name), { recursive: true, force: true });
      await this.#cleaning.catch(error => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Returns the mounts for a working directory, and makes missing copies. Leaves out caches that do not exist, cannot be
   * copied, are secret or belong to the kernel, and those that contain the working directory or are in it.
   * @param cwd real path
   */
  async mounts(cwd: string, paths: MachinePaths): Promise<CacheMount[]> {
    // A chat without a working directory sees no home directory, and its scratch directory ends with it.
    if (paths.isScratch(cwd)) return [];
    const place = shortHash(cwd);
    this.#used.add(place);
    await this.#cleaning.catch(() => {});
    const found = await Promise.all(
      this.#caches.map(async cache => {
        try {
          const path = await paths.existing(cache.replace(/^~(?=\/)/, homedir()));
          if (isWithin(cwd, path) || isWithin(path, cwd) || (await paths.isSecret(path))) return [];
          if (!(await stat(path)).isDirectory()) return [];
          const copy = join(this.#directory, place, shortHash(path));
          await this.#make(path, copy, paths);
          return [{ path, copy }];
        } catch {
          return [];
        }
      }),
    );
    const mounts = found.flat();
    const now = new Date();
    // The time of the directory is that of its last use.
    if (mounts.length > 0) await utimes(join(this.#directory, place), now, now);
    return mounts;
  }

  async #make(path: string, copy: string, paths: MachinePaths): Promise<void> {
    const begun =
      this.#begun.get(copy) ?? makeCopy(path, copy, paths).finally(() => this.#begun.delete(copy));
    this.#begun.set(copy, begun);
    await begun;
  }
}

/** A copy is complete once it has its name. Secret files are left out. */
async function makeCopy(path: string, copy: string, { secrets }: MachinePaths): Promise<void> {
  if (await lstat(copy).catch(() => null)) return;
  const part = `${copy}.${randomUUID()}`;
  const judge = secrets.judge();
  const isWanted = async (source: string): Promise<boolean> => {
    const facts = await lstat(source);
    if (facts.isDirectory() || facts.isSymbolicLink()) return true;
    return facts.isFile() && !(await secrets.has(await realpath(source), judge));
  };
  const mode = constants.COPYFILE_FICLONE;
  try {
    await mkdir(join(copy, '..'), { recursive: true, mode: 0o700 });
    await cp(path, part, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode,
      filter: isWanted,
    });
    await rename(part, copy);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

const shortHash = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

const DAY_MS = 86_400_000;

interface CacheLimits {
  /** Copies that were not used for this time are deleted. */
  days: number;
  /** The maximum size of all copies. */
  bytes: number;
}

/** Selects the copies of caches to delete: unused ones, and the oldest ones if all take too much space. */
const CACHE_LIMITS: CacheLimits = { days: 30, bytes: 10_000_000_000 };

/** The copies of one working directory. */
interface Copies {
  name: string;
  /** The time of the last command. */
  used: number;
}

/**
 * Returns the names of the directories to delete, each with the copies of one working directory.
 * @param directory where the copies are stored; it may not exist
 */
async function listOldCopies(
  directory: string,
  { days, bytes }: CacheLimits,
  now = Date.now(),
): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const all = await Promise.all(
    names.map(
      async (name): Promise<Copies> => ({ name, used: (await lstat(join(directory, name))).mtimeMs }),
    ),
  );
  const old: string[] = [];
  let total = 0;
  for (const { name, used } of all.sort((a, b) => b.used - a.used)) {
    // Their size counts only as far as it matters.
    if (now - used > days * DAY_MS || total > bytes) old.push(name);
    else {
      total += await sizeOf(join(directory, name), bytes - total);
      if (total > bytes) old.push(name);
    }
  }
  return old;
}

/** @param enough the sum at which the rest no longer matters */
async function sizeOf(directory: string, enough: number): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(directory, { recursive: true })) {
      if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
      if (bytes > enough) break;
    }
  } catch {
    // A command may have made a directory that cannot be read, or another one is changing it.
  }
  return bytes;
}
