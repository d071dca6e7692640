/**
 * Defines stored uploads. Each stored message that has a block with `internal.file` uses that file; unused files are
 * kept for some days.
 */
import type { Readable } from 'node:stream';

/** A file before its bytes were counted. */
export interface NewFile {
  id: string;
  /** The name from the uploader: not safe for a file system, a header or a prompt without `safeFileName`. */
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
   * Stores a file, reading `bytes` to their end; a piece may be reused when the next one is requested. If `bytes`
   * throw, this throws the same error and stores nothing.
   */
  save(file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<FileRecord>;
  get(id: string): Promise<FileRecord | undefined>;
  /** Messages that use the file, at most 20; they may have been deleted since. */
  listUses(id: string): Promise<{ chat_id: string; message_id: string }[]>;
  /** The bytes from `start` to `end`, both included; without a range all. Undefined if the bytes are missing. */
  read(file: FileRecord, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /**
   * The path at which tools of this machine find the file; null if its bytes are not on a disk of this machine
   * (FLEET-5).
   */
  path(file: FileRecord): Promise<string | null>;
  /** Copies the file to `<workdir>/.service/files/<id>/<safe name>` and returns that path. Throws if the copy fails. */
  copy(file: FileRecord, workdir: string): Promise<string>;
}
