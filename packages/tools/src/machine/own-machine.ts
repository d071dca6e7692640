/** The kernel's machine for the kernel and its API: project files, and parts of files (OP-11, OP-12). */
import type { FileHandle } from 'node:fs/promises';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ForbiddenPathError,
  fileProblem,
  isWithin,
  type MachinePaths,
  openFile,
  PathError,
  readPart,
  type Sandbox,
  wholePath,
  withoutMark,
} from '@chat-kernel/hands/own-machine';
import { type FilePart, type Level, type LocalMachine, OperationError } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import { decodeBeginning } from './decode-beginning.ts';

/** Maximum bytes of a project file. */
const MAX_TEXT_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;
type ChatWorkdir = Parameters<LocalMachine['openWithin']>[1];

/** @param paths the allowed paths; uploaded files are not read here, because they have an endpoint */
export const ownMachine = (
  paths: MachinePaths,
  sandbox?: Pick<Sandbox, 'isMissing' | 'problem'>,
): LocalMachine => ({
  async missingSandbox() {
    return (await sandbox?.isMissing()) ? ((await sandbox?.problem()) ?? undefined) : undefined;
  },

  async listUp(directory, names) {
    try {
      const levels: Level[] = [];
      for (const dir of upFrom(await realDirectory(directory))) {
        const found: string[] = [];
        for (const name of names) if (await isFileIn(dir, name, paths)) found.push(name);
        if (found.length > 0) levels.push({ dir, found });
      }
      return levels;
    } catch (error) {
      throw new OperationError(fileProblem(error, directory, 'read'), { cause: error });
    }
  },

  async read(path) {
    try {
      const bytes = await within(path, paths, file => readPart(file, 0, MAX_TEXT_BYTES + 1));
      const isCut = bytes.length > MAX_TEXT_BYTES;
      const text = decodeBeginning(bytes.subarray(0, MAX_TEXT_BYTES), isCut);
      if (text === undefined) throw new PathError(`${path} is a binary file.`);
      return isCut ? `${withoutMark(text)}\n[truncated]` : withoutMark(text);
    } catch (error) {
      throw new OperationError(fileProblem(error, path, 'read'), { cause: error });
    }
  },

  async readBytes({ path, offset, size }) {
    try {
      return await within(path, paths, file => readFilePart(file, offset, size));
    } catch (error) {
      throw kernelError(error, path);
    }
  },

  async openWithin(path, chat) {
    try {
      const real = await paths.toRead(path, chat);
      if (!(await paths.isUploaded(path)) && !(await isInWorkdir(real, chat, paths))) {
        throw new ForbiddenPathError(`${path} is outside of the working directory of the chat.`);
      }
      return pieces(await openFile(real));
    } catch (error) {
      throw kernelError(error, path);
    }
  },
});

const isInWorkdir = async (real: string, chat: ChatWorkdir, paths: MachinePaths): Promise<boolean> =>
  chat.workdir !== null && isWithin(real, await paths.workdir(chat));

/** The bytes of an open file, which is closed afterwards. */
async function* pieces(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (let offset = 0; ; ) {
      const piece = await readPart(file, offset, PIECE_BYTES);
      if (piece.length === 0) return;
      yield piece;
      offset += piece.length;
    }
  } finally {
    await file.close();
  }
}

async function realDirectory(path: string): Promise<string> {
  const real = await realpath(wholePath(path));
  if (!(await stat(real)).isDirectory()) throw new PathError(`${path} is not a directory.`);
  return real;
}

/** Returns the directory and all above it, up to the root. */
function upFrom(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upFrom(above)];
}

/**
 * True if the file exists. A path that belongs to the kernel, that it may not read, or that is secret counts as missing.
 * So does a link out of the directory, by which a project could bring any file of the machine into a prompt.
 */
async function isFileIn(directory: string, name: string, paths: MachinePaths): Promise<boolean> {
  try {
    const real = await paths.existing(join(directory, name));
    await paths.refuseSecret(real);
    return isWithin(real, directory) && (await stat(real)).isFile();
  } catch (error) {
    if (error instanceof PathError || [...MISSING, ...DENIED, 'ELOOP'].includes(errorCode(error)))
      return false;
    throw error;
  }
}

async function within<T>(
  path: string,
  paths: MachinePaths,
  read: (file: FileHandle) => Promise<T>,
): Promise<T> {
  // The path is checked before the file is searched, so that the result does not reveal which of the kernel's files
  // exist.
  const real = await paths.landing(wholePath(path));
  await paths.refuseSecret(real);
  const file = await openFile(real);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

async function readFilePart(file: FileHandle, offset: number, size: number): Promise<FilePart> {
  const data = await readPart(file, offset, size);
  const end = offset + data.length;
  // A short read means the end of the file, regardless of the size that the system reports.
  if (data.length > 0 && data.length < size) return { total: end, data };
  const reported = (await file.stat()).size;
  return { total: data.length > 0 ? Math.max(reported, end) : reported, data };
}

function kernelError(error: unknown, path: string): unknown {
  const detail = fileProblem(error, path, 'read');
  const code = errorCode(error);
  if (error instanceof ForbiddenPathError || DENIED.includes(code)) {
    return new KernelError('forbidden_path', detail, { cause: error });
  }
  if (MISSING.includes(code)) return new KernelError('not_found', detail, { cause: error });
  if (error instanceof PathError || UNREADABLE.includes(code)) {
    return new KernelError('invalid_value', detail, { cause: error, errors: [{ pointer: '/path', detail }] });
  }
  return error;
}

const MISSING = ['ENOENT', 'ENOTDIR'];
const DENIED = ['EACCES', 'EPERM'];
/** Errors of impossible paths, and of files that cannot be read, or not now. */
const UNREADABLE = ['ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE', 'EAGAIN', 'EINVAL', 'EIO', 'ENXIO'];

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
