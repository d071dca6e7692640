/** Resolves paths on the kernel's machine as the model writes them, and refuses those that are out of reach. */
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import type { Chat } from '@chat-kernel/protocol';
import { cutText } from '@chat-kernel/text';
import { type ForbiddenPlace, landing, linksOn, placeAt } from './forbidden-place.ts';
import { ForbiddenPathError, PathError, SecretPathError } from './path-errors.ts';
import { refuseReplaceable } from './replaceable-link.ts';
import { SecretPlaces } from './secret-places.ts';

/** `id`: absent if no chat is concerned. */
export type ChatWorkdir = Pick<Chat, 'workdir' | 'workdir_on'> & { id?: string };

/** Placeholder for the chat if a path is absolute and needs none. */
const NO_CHAT: ChatWorkdir = { workdir: null, workdir_on: 'server' };

interface MachinePathsOptions {
  /** Places whose content tools do not read. */
  secrets?: SecretPlaces | undefined;
  /**
   * The real path of a directory, existing or not, in which each chat without a working directory has one of its own
   * (CONSENT-8). Null: such a chat has none.
   */
  scratch?: string | null | undefined;
}

export class MachinePaths {
  /** Real paths of directories inside of forbidden locations that tools may still read. */
  readonly readable: readonly string[];
  readonly secrets: SecretPlaces;

  readonly #forbidden: readonly string[];
  readonly #scratch: string | null;

  /**
   * @param forbidden absolute paths of directories and files, existing or not: the kernel's own data, settings and keys
   * @param readable real paths of directories inside of these: uploaded files
   */
  constructor(
    forbidden: readonly string[],
    readable: readonly string[] = [],
    { secrets = new SecretPlaces(), scratch = null }: MachinePathsOptions = {},
  ) {
    this.#forbidden = forbidden;
    this.readable = readable;
    this.secrets = secrets;
    this.#scratch = scratch;
  }

  /** Resolves the forbidden locations at the time of the call: a missing one may be created later, or become a link. */
  forbidden(): Promise<ForbiddenPlace[]> {
    return Promise.all(this.#forbidden.map(placeAt));
  }

  /** Returns the paths of links that lead to forbidden locations: changing such a link moves the location. */
  async forbiddenLinks(): Promise<string[]> {
    return (await Promise.all(this.#forbidden.map(linksOn))).flat();
  }

  /**
   * Returns the real path of an existing file that will only be read. If the working directory of a chat is on a
   * client's machine, the chat reads only uploaded files here: the same path on this machine is a different file.
   * @throws PathError, or the error of the file system
   */
  async toRead(path: string, chat: ChatWorkdir): Promise<string> {
    if (!(await this.isUploaded(path))) refuseElsewhere(chat);
    const real = await realpath(this.#absolute(path, chat));
    return this.#isUploaded(real) ? real : await this.#allowed(real, chat);
  }

  /**
   * True if the path is the absolute path of an uploaded file. The kernel has these, whichever machine a call works on.
   */
  async isUploaded(path: string): Promise<boolean> {
    if (!isAbsolute(path)) return false;
    try {
      return this.#isUploaded(await landing(resolve(path)));
    } catch {
      // A path that this machine cannot follow belongs to another machine.
      return false;
    }
  }

  /** Returns the real path of an existing file or directory. @throws PathError, or the error of the file system */
  async existing(path: string, chat: ChatWorkdir = NO_CHAT): Promise<string> {
    return this.#allowed(await realpath(this.#absolute(path, chat)), chat);
  }

  /**
   * Returns the real path of the file with this name, existing or not: links are followed as far as they exist.
   * @throws PathError, or the error of the file system
   */
  async landing(path: string, chat: ChatWorkdir = NO_CHAT): Promise<string> {
    return this.#allowed(await landing(resolve(this.#absolute(path, chat))), chat);
  }

  /** Returns the real path of an existing directory. @throws PathError */
  async directory(path: string, chat: ChatWorkdir): Promise<string> {
    const real = await this.existing(path, chat).catch(error => {
      throw error instanceof PathError ? error : new PathError(`There is no directory ${path}.`);
    });
    if (!(await stat(real)).isDirectory()) throw new PathError(`${path} is not a directory.`);
    return real;
  }

  /**
   * Checks a file whose content will be read (CONSENT-5).
   * @param real as the other methods return it
   * @throws SecretPathError if it is in a secret place and no uploaded file
   */
  async refuseSecret(real: string): Promise<void> {
    if (await this.isSecret(real)) throw new SecretPathError(real);
  }

  /** Whether a real path is in a secret place, and no uploaded file. */
  async isSecret(real: string): Promise<boolean> {
    return !this.#isUploaded(real) && this.secrets.has(real);
  }

  /** Whether a real path is neither in the working directory of the chat nor an uploaded file. */
  async isElsewhere(real: string, chat: ChatWorkdir): Promise<boolean> {
    if (this.#isUploaded(real)) return false;
    return getWorkdir(chat) === null || !isWithin(real, await this.workdir(chat));
  }

  /**
   * Returns the chat's working directory on this machine; if none is set, its scratch directory, which is created.
   * @throws PathError if there is none, or if a command may have moved it
   */
  async workdir(chat: ChatWorkdir): Promise<string> {
    const workdir = getWorkdir(chat);
    if (workdir !== null) return refuseReplaceable(workdir, await this.directory(workdir, chat));
    const scratch = this.#scratchOf(chat);
    if (scratch === null) {
      throw new PathError(
        'This chat has no working directory on this machine: set one with the tool workdir first.',
      );
    }
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    return scratch;
  }

  /** Whether a chat that works in this directory has no other one. @param real a real path */
  isScratch(real: string): boolean {
    return this.#scratch !== null && isWithin(real, this.#scratch);
  }

  /** Returns the ids of the chats that have a scratch directory. */
  async scratchChats(): Promise<string[]> {
    if (this.#scratch === null) return [];
    return readdir(this.#scratch).catch(error => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }

  /** Deletes the scratch directory of a chat that was deleted. */
  async removeScratch(chatId: string): Promise<void> {
    const scratch = this.#scratchOf({ ...NO_CHAT, id: chatId });
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }

  #scratchOf({ id }: ChatWorkdir): string | null {
    // Other text in a path could lead elsewhere.
    return this.#scratch === null || id === undefined || !/^[\w-]+$/.test(id)
      ? null
      : join(this.#scratch, id);
  }

  #absolute(path: string, chat: ChatWorkdir): string {
    if (isAbsolute(path) || atHome(path)) return fromHome(path);
    const base = getWorkdir(chat) ?? this.#scratchOf(chat);
    if (base === null) {
      throw new PathError('This chat has no working directory on this machine: give an absolute path.');
    }
    return join(base, path);
  }

  #isUploaded(real: string): boolean {
    return this.readable.some(place => real.startsWith(place + sep));
  }

  async #allowed(real: string, chat: ChatWorkdir): Promise<string> {
    // Requests of the API concern no chat, and reach what all chats have written.
    const scratch = chat.id === undefined ? this.#scratch : this.#scratchOf(chat);
    if (scratch !== null && isWithin(real, scratch)) return real;
    if (isOfSystem(real)) throw new ForbiddenPathError('This path is not allowed: it belongs to the system.');
    if ((await this.forbidden()).some(place => isIn(real, place))) {
      throw new ForbiddenPathError('This path is not allowed: it belongs to the kernel.');
    }
    return real;
  }
}

/** True if the real path is `place`, or inside of it. */
export const isWithin = (real: string, place: string): boolean =>
  real === place || real.startsWith(place.endsWith(sep) ? place : place + sep);

/** Ignores case for a missing location: it is not known yet whether its file system is case-sensitive. */
const isIn = (real: string, { path, kind }: ForbiddenPlace): boolean =>
  kind === 'missing' ? isWithin(folded(real), folded(path)) : isWithin(real, path);

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** True for paths of processes and devices: files there are memory, environments and switches. */
const isOfSystem = (real: string): boolean => ['/proc', '/sys'].some(place => isWithin(real, place));

/** Refuses to use this machine for a chat that works on a client's machine. @throws PathError */
export function refuseElsewhere({ workdir, workdir_on }: ChatWorkdir): void {
  if (workdir === null || workdir_on !== 'client') return;
  throw new PathError(
    "The working directory of this chat is on a client's machine, which is not connected in this turn.",
  );
}

/** Returns an absolute path, with ~ replaced by the home directory. @throws PathError if the path is relative */
export function wholePath(path: string): string {
  const whole = fromHome(path);
  if (!isAbsolute(whole)) throw new PathError(`${path} is not an absolute path.`);
  return whole;
}

/** Describes an error of a file for the model. `verb`: the operation that the kernel tried. */
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

/** Returns the chat's working directory, or null if it has none. @throws PathError if it is on another machine */
function getWorkdir(chat: ChatWorkdir): string | null {
  refuseElsewhere(chat);
  const { workdir } = chat;
  if (workdir === null) return null;
  const path = fromHome(workdir);
  // A path relative to the directory in which the kernel was started has no meaning for a chat.
  if (!isAbsolute(path)) throw new PathError(`The working directory ${workdir} is not an absolute path.`);
  return path;
}

const atHome = (path: string): boolean => path === '~' || path.startsWith('~/');
const fromHome = (path: string): string => (atHome(path) ? join(homedir(), path.slice(1)) : path);
