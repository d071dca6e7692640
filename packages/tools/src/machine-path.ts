/** Paths on the kernel's machine, as the model writes them: where they lead, and which are out of reach. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ChatRecord } from '@chat-kernel/kernel';
import { cutText } from '@chat-kernel/protocol';

type Place = Pick<ChatRecord, 'workdir' | 'workdir_on'>;

/** Its message is for the model: what is wrong with the path, and what to do. */
export class PathError extends Error {}

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
    return this.readable.some(place => real.startsWith(place + sep)) ? real : this.#allowed(real);
  }

  /** The real path of what is there. @throws PathError, or the error of the file system */
  async existing(path: string, chat: Place): Promise<string> {
    return this.#allowed(await realpath(absolute(path, chat)));
  }

  /**
   * Where a file of this path is, or would come to be: links are followed as far as there is something.
   * @throws PathError, or the error of the file system
   */
  async landing(path: string, chat: Place): Promise<string> {
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

  #allowed(path: string): string {
    // What the system tells of the kernel's own process (environment, memory, open files) is the kernel's too.
    const places = [...this.forbidden, `/proc/${process.pid}`];
    if (places.some(place => path === place || path.startsWith(place + sep))) {
      throw new PathError('This path is out of reach: it belongs to the kernel.');
    }
    return path;
  }
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

/** Null: the chat has none, or works elsewhere. */
function workdirOf({ workdir, workdir_on }: Place): string | null {
  if (workdir_on !== 'server' || workdir === null) return null;
  const path = fromHome(workdir);
  // Relative to what? The directory that the kernel was started in means nothing to a chat.
  if (!isAbsolute(path)) throw new PathError(`The working directory ${workdir} is not an absolute path.`);
  return path;
}

const atHome = (path: string): boolean => path === '~' || path.startsWith('~/');
const fromHome = (path: string): string => (atHome(path) ? join(homedir(), path.slice(1)) : path);

async function landing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing || dirname(path) === path) throw error;
    return join(await landing(dirname(path)), basename(path));
  }
}
