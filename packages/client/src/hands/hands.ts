/** The actions of client_op with their parameters: what a client can do on its machine for the model. */
import type { SandboxExceptions } from '@chat-kernel/protocol/tables';

export interface OperationContext {
  /** The operation and its chat; absent: earlier states are not stored for an undo. */
  chat_id?: string | undefined;
  op_id?: string | undefined;
  /** True for a command that only a prefix covers (HANDS-7): no program that files name should start with it. */
  by_prefix?: boolean | undefined;
  /** Aborted when the operation has ended: kill running processes. */
  signal: AbortSignal;
  /** Shows the output so far; only the last 8 KiB are used. */
  progress(output: string): void;
}

/** An entry of a directory: its path within it, with slashes; bytes; milliseconds since 1970. */
export interface FolderEntry {
  path: string;
  type: 'file' | 'directory';
  size: number;
  mtime_ms: number;
}

/**
 * An action rejects if it fails; the model reads the message. An omitted action is answered with `unknown op action`,
 * as the API specifies (OP-6). Bytes are base64; offsets and sizes count bytes.
 */
export interface Hands {
  read?(params: { path: string }, context: OperationContext): Promise<string>;
  /**
   * An existing text should keep its encoding and byte order mark, and its line ends unless the content is `exact`; see
   * `keepForm`.
   */
  write?(
    params: { path: string; content: string; exact?: boolean },
    context: OperationContext,
  ): Promise<string>;
  /**
   * Returns stdout and stderr together. Without `workdir` it runs in the directory of the hands. With `outside_sandbox` it runs
   * without the sandbox; with `protected` it may write protected paths. The owner was asked about both.
   */
  shell?(
    params: SandboxExceptions & { command: string; workdir?: string; timeout_secs?: number },
    context: OperationContext,
  ): Promise<{ output: string; exit_code: number }>;
  /** Returns fewer bytes than `size` at the end of the file. */
  read_bytes?(
    params: { path: string; offset: number; size: number },
    context: OperationContext,
  ): Promise<{ total: number; data: string }>;
  /** `truncate` cuts the file after these bytes. */
  write_bytes?(
    params: { path: string; offset: number; data: string; truncate: boolean },
    context: OperationContext,
  ): Promise<{ total: number }>;
  find_bytes?(
    params: { path: string; data: string; offset: number; limit: number },
    context: OperationContext,
  ): Promise<{ total: number; offsets: number[] }>;
  /** Lists everything in the directory, deeper entries last. Private to this project and not in the API document. */
  list_dir?(params: { path: string }, context: OperationContext): Promise<{ entries: FolderEntry[] }>;
  /** Returns which names exist in the directory and in each directory above it, up to the root. */
  list_up?(
    params: { path: string; names: string[] },
    context: OperationContext,
  ): Promise<{ dirs: { dir: string; found: string[] }[] }>;
  /**
   * Undoes edits of the chat: `preview` reports the effects on files; `restore` applies them, unless something prevents
   * it (UNDO-2). The oldest edit comes first.
   */
  undo?(
    params: { mode: 'preview' | 'restore'; edits: { op_id: string; turn_id: string; path: string }[] },
    context: OperationContext,
  ): Promise<{
    files: {
      path: string;
      action: 'restore' | 'delete' | 'unchanged' | 'not_kept';
      changed_since: boolean;
      error?: string;
      /** The file was restored. */
      restored?: true;
      /** The requested edits of this file. */
      op_ids: string[];
    }[];
  }>;
}

export type Action = keyof Hands;
