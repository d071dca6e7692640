/** Paths on the kernel's machine, as the model writes them: where they lead, and which are out of reach. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { ChatRecord } from '@chat-kernel/kernel';
import { cutText } from '@chat-kernel/protocol';
import { linksOn } from './links.ts';

type ChatWorkdir = Pick<ChatRecord, 'workdir' | 'workdir_on'>;

/** Stands for the chat where a path is absolute and needs none. */
const NO_CHAT: ChatWorkdir = { workdir: null, workdir_on: 'server' };

/** A mistake in a path; the message says to the model what is wrong and what to do. */
export class PathError extends Error {}

/** A path that belongs to the kernel, whatever is there. */
export class ForbiddenPathError extends PathError {}

/** A place that no tool may touch. */
export interface ForbiddenPlace {
  /** Its real path; where it does not exist, the one at which it would come to be. */
  path: string;
  kind: 'directory' | 'file' | 'missing';
}

export class MachinePaths {
  /** Real paths of directories in forbidden places that tools may read all the same. */
  readonly readable: readonly string[];

  readonly #forbidden: readonly string[];

  /**
   * @param forbidden absolute paths of directories and files, there or not: the kernel's own data, settings and keys
   * @param readable real paths of directories inside of these: uploaded files
   */
  constructor(forbidden: readonly string[], readable: readonly string[] = []) {
    this.#forbidden = forbidden;
    this.readable = readable;
  }

  /** Looks where the forbidden places are now: what is missing today may be made, or be a link, tomorrow. */
  forbidden(): Promise<ForbiddenPlace[]> {
    return Promise.all(this.#forbidden.map(placeAt));
  }

  /** Returns the places of links that lead to forbidden places: whoever changes one decides where that is. */
  async forbiddenLinks(): Promise<string[]> {
    return (await Promise.all(this.#forbidden.map(linksOn))).flat();
  }

  /** Returns the real path of an existing file that will only be read. @throws PathError, or the error of the file system */
  async toRead(path: string, chat: ChatWorkdir): Promise<string> {
    const real = await realpath(absolute(path, chat));
    return this.#isUploaded(real) ? real : await this.#allowed(real);
  }

  /** Says whether the path is the absolute path of an uploaded file, which the kernel has, whatever machine a call works on. */
  async isUploaded(path: string): Promise<boolean> {
    if (!isAbsolute(path)) return false;
    try {
      return this.#isUploaded(await landing(resolve(path)));
    } catch {
      // A path that this machine cannot follow belongs to another.
      return false;
    }
  }

  /** Returns the real path of an existing file or directory. @throws PathError, or the error of the file system */
  async existing(path: string, chat: ChatWorkdir = NO_CHAT): Promise<string> {
    return this.#allowed(await realpath(absolute(path, chat)));
  }

  /**
   * Returns the real path where a file of this name is, or would come to be: links are followed as far as they exist.
   * @throws PathError, or the error of the file system
   */
  async landing(path: string, chat: ChatWorkdir = NO_CHAT): Promise<string> {
    return this.#allowed(await landing(resolve(absolute(path, chat))));
  }

  /** Returns the real path of an existing directory. @throws PathError */
  async directory(path: string, chat: ChatWorkdir): Promise<string> {
    const real = await this.existing(path, chat).catch(error => {
      throw error instanceof PathError ? error : new PathError(`There is no directory ${path}.`);
    });
    if (!(await stat(real)).isDirectory()) throw new PathError(`${path} is not a directory.`);
    return real;
  }

  /** Returns the chat's working directory on this machine. @throws PathError where there is none */
  async workdir(chat: ChatWorkdir): Promise<string> {
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

  async #allowed(real: string): Promise<string> {
    if (isOfSystem(real))
      throw new ForbiddenPathError('This path is out of reach: it belongs to the system.');
    if ((await this.forbidden()).some(place => isIn(real, place))) {
      throw new ForbiddenPathError('This path is out of reach: it belongs to the kernel.');
    }
    return real;
  }
}

/** Says whether the real path is `place`, or in it. */
export const isWithin = (real: string, place: string): boolean =>
  real === place || real.startsWith(place.endsWith(sep) ? place : place + sep);

/** The name of a missing place may be written in capitals, too: nothing there says yet whether the system minds. */
const isIn = (real: string, { path, kind }: ForbiddenPlace): boolean =>
  kind === 'missing' ? isWithin(folded(real), folded(path)) : isWithin(real, path);

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Says whether the path shows processes and devices: files there are memory, environments and switches. */
const isOfSystem = (real: string): boolean => ['/proc', '/sys'].some(place => isWithin(real, place));

/** Refuses to change this machine for a chat that works on a client's. @throws PathError */
export function refuseElsewhere({ workdir, workdir_on }: ChatWorkdir): void {
  if (workdir === null || workdir_on !== 'client') return;
  throw new PathError(
    "The working directory of this chat is on a client's machine, which is not connected in this turn.",
  );
}

/** Returns an absolute path, with ~ replaced by the home directory. @throws PathError where the path is relative */
export function wholePath(path: string): string {
  const whole = fromHome(path);
  if (!isAbsolute(whole)) throw new PathError(`${path} is not an absolute path.`);
  return whole;
}

/** Says to the model what went wrong with a file. `verb`: what the kernel wanted to do. */
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

function absolute(path: string, chat: ChatWorkdir): string {
  if (isAbsolute(path) || atHome(path)) return fromHome(path);
  const workdir = workdirOf(chat);
  if (workdir === null) {
    throw new PathError('This chat has no working directory on this machine: give an absolute path.');
  }
  return join(workdir, path);
}

/** Returns the chat's working directory; null where it has none. @throws PathError where that is on another machine */
function workdirOf(chat: ChatWorkdir): string | null {
  refuseElsewhere(chat);
  const { workdir } = chat;
  if (workdir === null) return null;
  const path = fromHome(workdir);
  // The directory in which the kernel was started means nothing to a chat.
  if (!isAbsolute(path)) throw new PathError(`The working directory ${workdir} is not an absolute path.`);
  return path;
}

const atHome = (path: string): boolean => path === '~' || path.startsWith('~/');
const fromHome = (path: string): string => (atHome(path) ? join(homedir(), path.slice(1)) : path);

async function placeAt(path: string): Promise<ForbiddenPlace> {
  try {
    const real = await realpath(path);
    return { path: real, kind: (await stat(real)).isDirectory() ? 'directory' : 'file' };
  } catch {
    // A place that cannot be followed, such as a link to itself, is forbidden under its own name.
    return { path: await landing(path).catch(() => path), kind: 'missing' };
  }
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
