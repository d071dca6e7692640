/** Paths on the kernel's machine, as the model writes them: where they lead, and which are out of reach. */
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ChatRecord } from '@chat-kernel/kernel';
import { cutText } from '@chat-kernel/protocol';

type Place = Pick<ChatRecord, 'workdir' | 'workdir_on'>;

/** For paths that need no chat, because they are whole. */
const NO_CHAT: Place = { workdir: null, workdir_on: 'server' };

/** Its message is for the model: what is wrong with the path, and what to do. */
export class PathError extends Error {}

/** The path belongs to the kernel, whatever is there. */
export class ForbiddenPathError extends PathError {}

export class MachinePaths {
  /** Real paths of what no tool may touch. */
  readonly forbidden: readonly string[];

  /** Real paths of directories inside of these that may be read all the same. */
  readonly readable: readonly string[];

  /**
   * @param forbidden real paths of directories and files: the kernel's own data, settings and keys
   * @param readable directories inside of these: uploaded files
   */
  constructor(forbidden: readonly string[], readable: readonly string[] = []) {
    this.forbidden = forbidden;
    this.readable = readable;
  }

  /** The real path of what is there, to be read and left as it is. @throws PathError, or the error of the file system */
  async toRead(path: string, chat: Place): Promise<string> {
    const real = await realpath(absolute(path, chat));
    return this.#isUploaded(real) ? real : this.#allowed(real);
  }

  /** Whether it is the absolute path of an uploaded file, which the kernel has, whatever machine a call works on. */
  async isUploaded(path: string): Promise<boolean> {
    if (!isAbsolute(path)) return false;
    try {
      return this.#isUploaded(await landing(resolve(path)));
    } catch {
      // A path that this machine cannot follow is none of its own.
      return false;
    }
  }

  /** The real path of what is there. @throws PathError, or the error of the file system */
  async existing(path: string, chat: Place = NO_CHAT): Promise<string> {
    return this.#allowed(await realpath(absolute(path, chat)));
  }

  /**
   * Where a file of this path is, or would come to be: links are followed as far as there is something.
   * @throws PathError, or the error of the file system
   */
  async landing(path: string, chat: Place = NO_CHAT): Promise<string> {
    return this.#allowed(await landing(resolve(absolute(path, chat))));
  }

  /** A directory that is there. @throws PathError */
  async directory(path: string, chat: Place): Promise<string> {
    const real = await this.existing(path, chat).catch(error => {
      throw error instanceof PathError ? error : new PathError(`There is no directory ${path}.`);
    });
    if (!(await stat(real)).isDirectory()) throw new PathError(`${path} is not a directory.`);
    return real;
  }

  /** The chat's working directory on this machine. @throws PathError where there is none */
  async workdir(chat: Place): Promise<string> {
    const workdir = workdirOf(chat);
    if (workdir === null) {
      throw new PathError(
        'This chat has no working directory on this machine: set one with the tool workdir first.',
      );
    }
    return this.directory(workdir, chat);
  }

  #isUploaded(real: string): boolean {
    return this.readable.some(place => real.startsWith(place + sep));
  }

  #allowed(real: string): string {
    if (this.forbidden.some(place => real === place || real.startsWith(place + sep)) || ownProcess(real)) {
      throw new ForbiddenPathError('This path is out of reach: it belongs to the kernel.');
    }
    return real;
  }
}

/** Null where tools of this machine can work for the chat, else why not: it works on a client's, which is not there. */
const elsewhere = ({ workdir, workdir_on }: Place): string | null =>
  workdir !== null && workdir_on === 'client'
    ? "The working directory of this chat is on a client's machine, which is not connected in this turn."
    : null;

/** Nothing is changed here for a chat that works elsewhere. @throws PathError */
export function refuseElsewhere(chat: Place): void {
  const why = elsewhere(chat);
  if (why !== null) throw new PathError(why);
}

/** The path with its home directory, where it begins at one. @throws PathError where it is relative */
export function wholePath(path: string): string {
  const whole = fromHome(path);
  if (!isAbsolute(whole)) throw new PathError(`${path} is not an absolute path.`);
  return whole;
}

/** What went wrong with a file, for the model. `verb`: what the kernel wanted to do, such as read. */
export function fileProblem(error: unknown, path: string, verb: 'read' | 'write'): string {
  if (error instanceof PathError) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return `There is no file ${path}.`;
  if (code === 'ENOTDIR') return `There is no file ${path}: a part of the path is not a directory.`;
  if (code === 'EISDIR') return `${path} is a directory.`;
  if (code === 'EACCES' || code === 'EPERM') return `The kernel may not ${verb} ${path}.`;
  if (code === 'ENOSPC') return 'The disk is full.';
  return `The kernel could not ${verb} ${cutText(path, 200)}${code === undefined ? '' : ` (${code})`}.`;
}

function absolute(path: string, chat: Place): string {
  if (isAbsolute(path) || atHome(path)) return fromHome(path);
  const workdir = workdirOf(chat);
  if (workdir === null) {
    throw new PathError('This chat has no working directory on this machine: give an absolute path.');
  }
  return join(workdir, path);
}

/** Null: the chat has none. @throws PathError where it works elsewhere */
function workdirOf(chat: Place): string | null {
  refuseElsewhere(chat);
  const { workdir } = chat;
  if (workdir === null) return null;
  const path = fromHome(workdir);
  // Relative to what? The directory that the kernel was started in means nothing to a chat.
  if (!isAbsolute(path)) throw new PathError(`The working directory ${workdir} is not an absolute path.`);
  return path;
}

const atHome = (path: string): boolean => path === '~' || path.startsWith('~/');
const fromHome = (path: string): string => (atHome(path) ? join(homedir(), path.slice(1)) : path);

/**
 * What the system tells of the kernel's own process (environment, memory, open files) is the kernel's too. Each of
 * its threads has an id of its own, under which the same is told once more. Whoever started it had the same keys in
 * its environment, so that of any process is.
 */
function ownProcess(real: string): boolean {
  if (/^\/proc\/\d+\/(task\/\d+\/)?environ$/.test(real)) return true;
  const id = /^\/proc\/(\d+)(?:\/|$)/.exec(real)?.[1];
  return id !== undefined && (Number(id) === process.pid || existsSync(`/proc/${process.pid}/task/${id}`));
}

async function landing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing || dirname(path) === path) throw error;
    return join(await landing(dirname(path)), basename(path));
  }
}
