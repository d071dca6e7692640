/**
 * Resolves the location of a file to write: checks where tools may write, and keeps the location fixed until the write
 * (WHO-7).
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type ChatWorkdir, isWithin, type MachinePaths, refuseElsewhere } from './machine-path.ts';
import { PathError } from './path-errors.ts';
import { OPEN_FILES } from './plain-file.ts';

/** The mechanism that restricts changes of this machine to the working directory, if any. */
export type SandboxKind = 'bwrap' | 'sandbox-exec' | 'none';

export interface WriteRules {
  paths: MachinePaths;
  /** With a sandbox only the working directory can be written. */
  sandbox: {
    kind(): Promise<SandboxKind>;
    /** Whether no sandbox works, although the settings do not say `none`. */
    isMissing(): Promise<boolean>;
  };
  /** Stores the state of a file before it is written, and never rejects. Absent: nothing is stored. */
  undo?:
    | {
        keep(edit: {
          chat_id: string;
          op_id: string;
          path: string;
          place: string;
          after: Uint8Array;
        }): Promise<void>;
      }
    | undefined;
}

/** The rules that decide where tools may write. */
export type PlaceRules = Pick<WriteRules, 'paths' | 'sandbox'>;

export interface WritePlace {
  /** The directory of the file, as a path that leads to this very directory until `close`. */
  directory: string;
  name: string;
  /** The real path of the file, for messages. */
  real: string;
  close(): Promise<void>;
}

/** True if only the working directory can be written. */
export const isHeld = async ({ sandbox }: Pick<WriteRules, 'sandbox'>): Promise<boolean> =>
  (await sandbox.kind()) !== 'none';

/** Returns the real path of a file that may be written. @throws PathError, or the error of the file system */
export async function whereTo(
  path: string,
  { chat }: { chat: ChatWorkdir },
  rules: PlaceRules,
): Promise<string> {
  const { paths } = rules;
  refuseElsewhere(chat);
  const real = await paths.landing(path, chat);
  refuseBareRepository(real);
  if (!(await isHeld(rules))) return real;
  const root = await paths.workdir(chat);
  if (real === root) throw new PathError(`${path} is a directory. Give the path of a file.`);
  if (isWithin(real, root)) return real;
  throw new PathError(
    `${path} is outside of the working directory ${root}. The sandbox allows writing only there.`,
  );
}

/**
 * Opens the location of a file.
 * @param make true to create missing directories
 * @throws PathError, or the error of the file system
 */
export async function writePlace(
  path: string,
  context: { chat: ChatWorkdir },
  rules: PlaceRules,
  make: boolean,
): Promise<WritePlace> {
  const real = await whereTo(path, context, rules);
  if (await isHeld(rules)) return heldPlace(real, await rules.paths.workdir(context.chat), make);
  if (make) await mkdir(dirname(real), { recursive: true });
  return { directory: dirname(real), name: basename(real), real, async close() {} };
}

async function heldPlace(real: string, root: string, make: boolean): Promise<WritePlace> {
  const handle = await openBelow(root, relative(root, dirname(real)).split(sep).filter(Boolean), make);
  return { directory: descriptorPath(handle), name: basename(real), real, close: () => handle.close() };
}

/**
 * Opens a directory below `root`, one level at a time and without following links: a concurrent command could replace a
 * directory by a link after the check.
 */
async function openBelow(root: string, steps: readonly string[], make: boolean): Promise<FileHandle> {
  let handle = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const step of steps) {
    const above = handle;
    try {
      handle = await openStep(join(descriptorPath(above), step), make);
    } finally {
      await above.close();
    }
  }
  return handle;
}

async function openStep(path: string, make: boolean): Promise<FileHandle> {
  if (make) {
    await mkdir(path).catch(error => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** A path to the open directory, wherever it is moved. The sandbox needs Linux, which has such paths. */
const descriptorPath = ({ fd }: FileHandle): string => `${OPEN_FILES}${fd}`;

/** Git takes a directory with these for a repository. */
const LAYOUT = ['HEAD', 'objects', 'refs'];
const FILES = ['HEAD', 'config', 'config.worktree', 'commondir'];
const DIRECTORIES = ['objects', 'refs', 'hooks'];

/**
 * Refuses to write files that make a directory a bare git repository, or that configure one (CONSENT-6): git in this
 * directory runs the programs that its `config` names.
 * @param real the real path of a file that will be written.
 * @throws PathError
 */
function refuseBareRepository(real: string): void {
  // A directory .git is a protected path itself, about which the owner decides.
  if (real.split(sep).includes('.git')) return;
  for (const [directory, part] of partsOf(real)) {
    if (!LAYOUT.every(name => name === part || existsSync(join(directory, name)))) continue;
    throw new PathError(
      `${real} would belong to a bare git repository in ${directory}, in which git runs what its files say. Only the user can write there.`,
    );
  }
}

/** Returns the directories of which the path may be such a part, each with the name of the part. */
function partsOf(real: string): [directory: string, part: string][] {
  const named = (names: readonly string[], path: string) =>
    names.find(name => name.toLowerCase() === basename(path).toLowerCase());
  const parts: [string, string][] = [];
  const file = named(FILES, real);
  if (file !== undefined) parts.push([dirname(real), file]);
  for (let path = dirname(real); path !== dirname(path); path = dirname(path)) {
    const directory = named(DIRECTORIES, path);
    if (directory !== undefined) parts.push([dirname(path), directory]);
  }
  return parts;
}
