/** The machines that a turn works on: the kernel's, and that of a client with hands. */

/** An operation that a machine, or its owner, did not do. The message is for the model. */
export class OperationError extends Error {}
/** An operation that the owner of the machine refused. */
export class Refused extends OperationError {}
/** An operation that nobody answered in time. The next one would wait as long, so callers give up. */
export class Unanswered extends OperationError {}

/** A directory, and those of the wanted names that are in it. */
export interface Level {
  dir: string;
  found: string[];
}

/** Files that the kernel reads by itself before a turn (OP-11). */
export interface ProjectFiles {
  /**
   * Looks from the directory up to the root of its file system, the nearest first. Levels without any of the names
   * may be left out.
   * @throws OperationError
   */
  listUp(directory: string, names: readonly string[]): Promise<Level[]>;
  /** Returns the text of a file. @throws OperationError */
  read(path: string): Promise<string>;
}

export interface ByteRange {
  path: string;
  /** In bytes, as `size`. */
  offset: number;
  size: number;
}

/** Bytes of a file, and how many it has in all. */
export interface FilePart {
  total: number;
  data: Uint8Array;
}

/** The result of a command on a client's machine. */
export interface CommandAnswer {
  output: string;
  /** Absent where the client does not report it. */
  exit_code?: number;
}

/**
 * The machine of the client that runs the turn. Each method requests an operation of that client, which asks its owner
 * where no grant covers it. Relative paths begin at the chat's working directory. @throws OperationError in the words of
 * the client, or the canonical ones for a refusal and for no answer (OP-5, OP-6, OP-10)
 */
export interface Hands extends ProjectFiles {
  /** Resolves with the client's report, which may be empty. */
  write(path: string, content: string): Promise<string>;
  /** @param options `chosen`: the model named the time itself, so the operation may wait that long */
  shell(command: string, options: { timeout_secs: number; chosen: boolean }): Promise<CommandAnswer>;
  readBytes(range: ByteRange): Promise<FilePart>;
  /** Writes at `offset`; `truncate` drops what was behind it. Resolves with the size of the file in bytes. */
  writeBytes(write: { path: string; offset: number; data: Uint8Array; truncate: boolean }): Promise<number>;
  /** The offsets at which the bytes are found, from `offset` on, at most `limit`. */
  findBytes(search: {
    path: string;
    data: Uint8Array;
    offset: number;
    limit: number;
  }): Promise<{ total: number; offsets: number[] }>;
}

/** What holds a change of the kernel's own machine to the working directory, if anything. */
export type SandboxKind = 'bwrap' | 'none';

/** A change of the kernel's own machine that a tool is about to make. */
export type OwnChange = (
  | { action: 'shell'; command: string; workdir: string; timeout_secs: number }
  | { action: 'write'; path: string; content: string }
) & { sandbox: SandboxKind };

/** The kernel's machine, as the kernel and its API see it. */
export interface OwnMachine extends ProjectFiles {
  /** @throws KernelError forbidden_path, not_found, invalid_value (relative, or no file) */
  readBytes(range: ByteRange): Promise<FilePart>;
}
