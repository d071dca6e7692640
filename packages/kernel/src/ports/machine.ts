/** Defines the machines that a turn works on: the kernel's, and that of a client with hands. */
import type { Chat } from '@chat-kernel/protocol';

/** Thrown if a machine or its owner did not execute an operation. The message is for the model. */
export class OperationError extends Error {}
/** Thrown if the owner of the machine denied the operation. */
export class Refused extends OperationError {}
/** Thrown if an operation timed out. The next one would also time out, so callers stop. */
export class Unanswered extends OperationError {}

/** A directory, and which of the requested names it contains. */
export interface Level {
  dir: string;
  found: string[];
}

/** Files that the kernel reads on its own before a turn (OP-11). */
export interface ProjectFiles {
  /**
   * Searches from the directory up to the root of its file system, the nearest first. Levels without any of the names
   * may be left out.
   * @throws OperationError
   */
  listUp(directory: string, names: readonly string[]): Promise<Level[]>;
  /** Returns the text of a file. @throws OperationError */
  read(path: string): Promise<string>;
}

export interface FolderEntry {
  /** Relative to the folder, with slashes. */
  path: string;
  type: 'file' | 'directory';
  /** In bytes. */
  size: number;
  /** The time of the last change, in milliseconds since 1970. */
  mtime_ms: number;
}

/** Folders of a client's machine. Both methods throw OperationError. */
export interface FolderReader {
  /** All entries of the folder, deeper ones last, at most a thousand. */
  listDir(path: string): Promise<FolderEntry[]>;
  read(path: string): Promise<string>;
}

export interface ByteRange {
  path: string;
  /** In bytes, as `size`. */
  offset: number;
  size: number;
}

/** Bytes of a file, and its total size. */
export interface FilePart {
  total: number;
  data: Uint8Array;
}

/** The result of a command on a client's machine. */
export interface CommandAnswer {
  output: string;
  /** Absent if the client does not report it. */
  exit_code?: number;
}

/**
 * The machine of the client that runs the turn. Each method requests an operation of that client, which asks its owner
 * if no grant covers it. Relative paths start at the chat's working directory.
 * @throws OperationError with the text of the client, or the canonical text for a denial or a timeout (OP-5, OP-6,
 * OP-10)
 */
export interface Hands extends ProjectFiles {
  /**
   * Resolves with the client's report, which may be empty. The client keeps the encoding and the byte order mark of an
   * existing text, and its line ends unless the content is `exact`.
   */
  write(path: string, content: string, options?: { exact?: boolean }): Promise<string>;
  /** @param options `timeout_secs`: the timeout of the command, limited by the operation timeout of the settings */
  shell(command: string, options: CommandExceptions & { timeout_secs: number }): Promise<CommandAnswer>;
  readBytes(range: ByteRange): Promise<FilePart>;
  /** Writes at `offset`; `truncate` drops everything after it. Resolves with the size of the file in bytes. */
  writeBytes(write: { path: string; offset: number; data: Uint8Array; truncate: boolean }): Promise<number>;
  /** The offsets at which the bytes are found, from `offset` on, at most `limit`. */
  findBytes(search: {
    path: string;
    data: Uint8Array;
    offset: number;
    limit: number;
  }): Promise<{ total: number; offsets: number[] }>;
}

/** Exceptions from the sandbox for a command; each field asks the owner. */
export interface CommandExceptions {
  /** The reason of the model to run without the sandbox. */
  outside_sandbox?: string | undefined;
  /** The command may write protected paths, except the configuration and hooks of git. */
  protected?: true | undefined;
}

/** The sandbox that restricts changes of the kernel's own machine to the working directory, if any. */
export type SandboxKind = 'bwrap' | 'sandbox-exec' | 'none';

/** An operation of the kernel's own machine that a tool is about to perform. */
export type LocalOperation = (LocalChange | LocalConnection | { action: 'read' | 'workdir'; path: string }) &
  OperationPlace;

/** A connection of a command in the sandbox to a host that the settings do not list. */
interface LocalConnection {
  action: 'connect';
  host: string;
}

export type LocalChange = (
  | ({ action: 'shell'; command: string; workdir: string; timeout_secs: number } & CommandExceptions)
  | { action: 'write'; path: string; content: string }
) & { sandbox: SandboxKind };

/** How an operation was permitted. */
export interface Permitted {
  /** Only the approval of a prefix covers the command, so git must start no program of a repository (CONSENT-7). */
  by_prefix: boolean;
}

/** Facts about the place of an operation, on which the decision about consent depends. */
interface OperationPlace {
  /** The directory or file that a grant is limited to. */
  target?: string;
  /** The file is in a place for keys and passwords (CONSENT-5). */
  isSecret?: boolean;
  /** The file can run programs, or changes how programs behave later (CONSENT-6). */
  isProtected?: boolean;
  /** The file is outside of the working directory, and no upload (CONSENT-3). */
  isElsewhere?: boolean;
  /** The chat is to work in a directory outside of its working directory (CONSENT-8). */
  isNewWorkdir?: boolean;
  /** No sandbox works, and the owner has not set a working directory (CONSENT-8). */
  isUnconfined?: boolean;
  /** The command is to run without the sandbox (CONSENT-9). */
  isOutsideSandbox?: boolean;
}

/** The kernel's machine, for the kernel and its API. */
export interface LocalMachine extends ProjectFiles {
  /** Returns why no sandbox works, as a sentence; undefined if one works, or the settings ask for none. */
  missingSandbox(): Promise<string | undefined>;
  /** @throws KernelError forbidden_path, not_found, invalid_value (relative, or not a file) */
  readBytes(range: ByteRange): Promise<FilePart>;
  /**
   * Opens an uploaded file, or one in the working directory of a chat. Links out of the directory are not followed.
   * @throws KernelError forbidden_path, not_found, invalid_value
   */
  openWithin(path: string, chat: Pick<Chat, 'workdir' | 'workdir_on'>): Promise<AsyncIterable<Uint8Array>>;
}
