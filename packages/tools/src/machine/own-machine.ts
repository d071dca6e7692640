/** The kernel's machine, as the kernel and its API see it: project files, and pieces of files (OP-11, OP-12). */
import type { FileHandle } from 'node:fs/promises';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FilePart, type Level, OperationError, type OwnMachine } from '@chat-kernel/kernel';
import { KernelError } from '@chat-kernel/protocol';
import {
  ForbiddenPathError,
  fileProblem,
  isWithin,
  type MachinePaths,
  PathError,
  wholePath,
} from './machine-path.ts';
import { openFile, readPart } from './plain-file.ts';

/** Bytes of a project file that are read. */
const MAX_TEXT_BYTES = 256 * 1024;

/** @param paths the paths that may be touched; uploaded files are not read here, they have an endpoint */
export const ownMachine = (paths: MachinePaths): OwnMachine => ({
  async listUp(directory, names) {
    try {
      const levels: Level[] = [];
      for (const dir of upFrom(await realDirectory(directory))) {
        const found: string[] = [];
        for (const name of names) if (await isFileOf(dir, name, paths)) found.push(name);
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
      if (bytes.includes(0)) throw new PathError(`${path} is a binary file.`);
      if (bytes.length <= MAX_TEXT_BYTES) return new TextDecoder().decode(bytes);
      // Decoding as a stream leaves out a character that is cut in two.
      const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: true });
      return `${text}\n[cut here]`;
    } catch (error) {
      throw new OperationError(fileProblem(error, path, 'read'), { cause: error });
    }
  },

  async readBytes({ path, offset, size }) {
    try {
      return await within(path, paths, file => partOf(file, offset, size));
    } catch (error) {
      throw kernelError(error, path);
    }
  },
});

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
 * Says whether a file is there. A path that is the kernel's, or that it may not read, counts as missing; so does a link
 * out of the directory, by which a project could bring any file of the machine into a prompt.
 */
async function isFileOf(directory: string, name: string, paths: MachinePaths): Promise<boolean> {
  try {
    const real = await paths.existing(join(directory, name));
    return isWithin(real, directory) && (await stat(real)).isFile();
  } catch (error) {
    if (error instanceof PathError || [...MISSING, ...DENIED, 'ELOOP'].includes(codeOf(error))) return false;
    throw error;
  }
}

async function within<T>(
  path: string,
  paths: MachinePaths,
  read: (file: FileHandle) => Promise<T>,
): Promise<T> {
  // The path is checked before the file is looked for, so that nobody learns which of the kernel's files exist.
  const file = await openFile(await paths.landing(wholePath(path)));
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

async function partOf(file: FileHandle, offset: number, size: number): Promise<FilePart> {
  const data = await readPart(file, offset, size);
  const end = offset + data.length;
  // A short read is the end of the file, whatever size the system reports.
  if (data.length > 0 && data.length < size) return { total: end, data };
  const reported = (await file.stat()).size;
  return { total: data.length > 0 ? Math.max(reported, end) : reported, data };
}

function kernelError(error: unknown, path: string): unknown {
  const detail = fileProblem(error, path, 'read');
  const code = codeOf(error);
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
/** Errors of paths that no file can have, and of files that give nothing, or nothing now. */
const UNREADABLE = ['ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE', 'EAGAIN', 'EINVAL', 'EIO', 'ENXIO'];

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
