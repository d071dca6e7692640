/** A file as it is now: what edits are compared with. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { withFile } from '../regular-file.ts';

export interface FileState {
  /** SHA-256 in hexadecimal; of a file that is too large for that, words about its size. */
  hash: string;
  /** The rights, such as 0o644. */
  mode: number;
  size: number;
  /** Null where there is more of it than was asked for. */
  content: Uint8Array | null;
}

/** Larger files are told apart by their size alone. */
const MOST_HASHED_BYTES = 64 * 1024 * 1024;

/**
 * Returns null where there is nothing.
 * @param maxBytes the content comes along where it has no more
 * @throws where it is no regular file, or a link
 */
export async function stateOf(path: string, maxBytes = 0): Promise<FileState | null> {
  try {
    return await withFile(path, constants.O_RDONLY, async file => {
      const { size, mode: all } = await file.stat();
      const mode = all & 0o7777;
      if (size > MOST_HASHED_BYTES) return { hash: `${size} bytes`, mode, size, content: null };
      const content = await file.readFile();
      return { hash: hashOf(content), mode, size, content: size <= maxBytes ? content : null };
    });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
