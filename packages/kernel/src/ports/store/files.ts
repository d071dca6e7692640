/**
 * Files that were uploaded. Each stored message that has a block with `internal.file` uses that file; a file that no
 * message uses stays for some days.
 */
import type { Readable } from 'node:stream';

/** A file before its bytes were counted. */
export interface NewFile {
  id: string;
  /** The name as its uploader gave it: not safe for a file system, a header or a prompt before `safeFileName`. */
  name: string;
  media_type: string;
  created_at: string;
}
export interface FileRecord extends NewFile {
  /** The size in bytes. */
  size: number;
}

export interface FileStore {
  /**
   * Stores a file, reading `bytes` to their end; a piece is no longer needed when the next is asked for. Throws what
   * `bytes` throw; then nothing of the file stays.
   */
  save(file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<FileRecord>;
  get(id: string): Promise<FileRecord | undefined>;
  /** The bytes from `start` to `end`, both included; without a range all. Undefined where the bytes are missing. */
  read(file: FileRecord, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** The path at which tools of this machine find the file; null where its bytes lie on no disk of it (FLEET-5). */
  path(file: FileRecord): Promise<string | null>;
  /**
   * Copies the file to `<workdir>/.service/files/<id>/<safe name>` and returns that path. Throws where no copy can be put
   * there.
   */
  copy(file: FileRecord, workdir: string): Promise<string>;
}
