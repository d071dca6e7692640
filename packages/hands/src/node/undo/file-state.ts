/** Reads the current state of a file, which edits are compared with. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { withFile } from '../regular-file.ts';

export interface FileState {
  /** SHA-256 in hexadecimal, or a text about its size if the file is too large. */
  hash: string;
  /** The permissions, such as 0o644. */
  mode: number;
  size: number;
  /** Null if it is larger than requested. */
  content: Uint8Array | null;
}

/** Larger files are compared only by size. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/**
 * Returns null if the file does not exist.
 * @param maxBytes the content is included up to this size
 * @throws if it is not a regular file, or if it is a link
 */
export async function readFileState(path: string, maxBytes = 0): Promise<FileState | null> {
  try {
    return await withFile(path, constants.O_RDONLY, 'any', async file => {
      const { size, mode: all } = await file.stat();
      const mode = all & 0o7777;
      if (size > MAX_HASHED_BYTES) return { hash: `${size} bytes`, mode, size, content: null };
      const content = await file.readFile();
      return { hash: hashContent(content), mode, size, content: size <= maxBytes ? content : null };
    });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export const hashContent = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
