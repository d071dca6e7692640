/** The place of a file that is going to be written: where tools may write, and that nothing moves it meanwhile (WHO-7). */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { SandboxKind, ToolContext } from '@chat-kernel/kernel';
import { isWithin, type MachinePaths, PathError, refuseElsewhere } from './machine-path.ts';
import { OPEN_FILES } from './plain-file.ts';

export interface WriteRules {
  paths: MachinePaths;
  /** In a sandbox only the working directory can be written. */
  sandbox: { kind(): Promise<SandboxKind> };
  /** Keeps what a file is before it is written, and never rejects. Absent: nothing is kept. */
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

/** What says where may be written. */
export type PlaceRules = Pick<WriteRules, 'paths' | 'sandbox'>;

export interface WritePlace {
  /** The directory of the file; a path that leads to this very directory until `close`. */
  directory: string;
  name: string;
  /** The real path of the file, for people. */
  real: string;
  close(): Promise<void>;
}

/** Says whether only the working directory can be written. */
export const isHeld = async ({ sandbox }: Pick<WriteRules, 'sandbox'>): Promise<boolean> =>
  (await sandbox.kind()) !== 'none';

const NO_WORKDIR =
  'This chat has no working directory, and in the sandbox nothing else can be written: ask the user to set one.';

/** The real path of a file that may be written. @throws PathError, or the error of the file system */
export async function whereTo(
  path: string,
  { chat }: Pick<ToolContext, 'chat'>,
  rules: PlaceRules,
): Promise<string> {
  const { paths } = rules;
  refuseElsewhere(chat);
  const real = await paths.landing(path, chat);
  if (!(await isHeld(rules))) return real;
  if (chat.workdir === null) throw new PathError(NO_WORKDIR);
  const root = await paths.workdir(chat);
  if (real === root) throw new PathError(`${path} is a directory: give the path of a file.`);
  if (isWithin(real, root)) return real;
  throw new PathError(
    `${path} is outside of the working directory ${root}: in the sandbox nothing else can be written.`,
  );
}

/**
 * Finds the place of a file.
 * @param make makes missing directories on the way
 * @throws PathError, or the error of the file system
 */
export async function writePlace(
  path: string,
  context: Pick<ToolContext, 'chat'>,
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
  return { directory: pathOf(handle), name: basename(real), real, close: () => handle.close() };
}

/**
 * Opens a directory below `root`, step by step and along no link: a command that runs beside could put one in the place
 * of a directory that has just been looked at.
 */
async function openBelow(root: string, steps: readonly string[], make: boolean): Promise<FileHandle> {
  let handle = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const step of steps) {
    const above = handle;
    try {
      handle = await openStep(join(pathOf(above), step), make);
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

/** Leads to the open directory, wherever it is moved. The sandbox needs Linux, which has these. */
const pathOf = ({ fd }: FileHandle): string => `${OPEN_FILES}${fd}`;
