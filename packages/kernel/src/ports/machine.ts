/** The machines that a turn works on: the kernel's own, and that of a client with hands. */

/** A machine, or its owner, did not do what was asked; the message is for the model. */
export class OperationError extends Error {}
/** Its owner said no. */
export class Refused extends OperationError {}
/** Nobody answered: whatever is asked next would wait as long. */
export class Unanswered extends OperationError {}

/** A directory, and which of the names that were looked for it has. */
export interface Level {
  dir: string;
  found: string[];
}

/** What the kernel looks at by itself before a turn (OP-11). */
export interface ProjectFiles {
  /** From the directory up to the root of its file system, the nearest first; levels without any of the names may be left out. @throws OperationError */
  listUp(directory: string, names: readonly string[]): Promise<Level[]>;
  /** The text of a file. @throws OperationError */
  read(path: string): Promise<string>;
}

export interface ByteRange {
  path: string;
  /** In bytes, as `size`. */
  offset: number;
  size: number;
}

/** What was read of a file, and how many bytes it has. */
export interface FilePart {
  total: number;
  data: Uint8Array;
}

/** How a command on a client's machine went. */
export interface CommandAnswer {
  output: string;
  /** Not every client tells it. */
  exit_code?: number;
}

/**
 * The machine of the client that runs the turn. Each method asks that client, and its owner where no grant covers it.
 * Relative paths begin at the chat's working directory. @throws OperationError in the words of the client, or the
 * canonical ones for a refusal and for no answer (OP-5, OP-6, OP-10)
 */
export interface Hands extends ProjectFiles {
  /** What the client says of it, which may be nothing. */
  write(path: string, content: string): Promise<string>;
  shell(command: string, options: { timeout_secs: number }): Promise<CommandAnswer>;
  readBytes(range: ByteRange): Promise<FilePart>;
  /** Writes at `offset`; `truncate`: what was behind it is gone. Answers how many bytes the file has now. */
  writeBytes(write: { path: string; offset: number; data: Uint8Array; truncate: boolean }): Promise<number>;
  /** The offsets at which the bytes stand, from `offset` on, at most `limit`. */
  findBytes(search: {
    path: string;
    data: Uint8Array;
    offset: number;
    limit: number;
  }): Promise<{ total: number; offsets: number[] }>;
}

/** The kernel's own machine, as the kernel and its API see it. */
export interface OwnMachine extends ProjectFiles {
  /** @throws KernelError forbidden_path, not_found, invalid_value (relative, or no file) */
  readBytes(range: ByteRange): Promise<FilePart>;
}
