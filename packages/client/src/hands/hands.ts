/** The actions of client_op: what a client can do on its machine for the model, each with its parameters. */

export interface OperationContext {
  /** The operation and its chat; absent: nothing is kept for an undo. */
  chat_id?: string | undefined;
  op_id?: string | undefined;
  /** Aborted when the operation is over: what runs is to be killed. */
  signal: AbortSignal;
  /** Shows the output so far; the last 8 KiB count. */
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
 * An action rejects where it cannot be done: the model reads the message. An action that is left out is answered with
 * `unknown op action`, as the API has it (OP-6). Bytes are base64, offsets and sizes count bytes.
 */
export interface Hands {
  read?(params: { path: string }, context: OperationContext): Promise<string>;
  write?(params: { path: string; content: string }, context: OperationContext): Promise<string>;
  /** stdout and stderr together. Without `workdir` in the directory of the hands. */
  shell?(
    params: { command: string; workdir?: string; timeout_secs?: number },
    context: OperationContext,
  ): Promise<{ output: string; exit_code: number }>;
  /** Fewer bytes than `size` where the file ends. */
  read_bytes?(
    params: { path: string; offset: number; size: number },
    context: OperationContext,
  ): Promise<{ total: number; data: string }>;
  /** `truncate` ends the file behind these bytes. */
  write_bytes?(
    params: { path: string; offset: number; data: string; truncate: boolean },
    context: OperationContext,
  ): Promise<{ total: number }>;
  find_bytes?(
    params: { path: string; data: string; offset: number; limit: number },
    context: OperationContext,
  ): Promise<{ total: number; offsets: number[] }>;
  /** All that is in the directory, what lies deeper last; it is ours, and no part of the API document. */
  list_dir?(params: { path: string }, context: OperationContext): Promise<{ entries: FolderEntry[] }>;
  /** Finds the names that are in the directory and in each above it, up to the root. */
  list_up?(
    params: { path: string; names: string[] },
    context: OperationContext,
  ): Promise<{ dirs: { dir: string; found: string[] }[] }>;
  /**
   * What undoing edits of the chat does to files: `preview` says it, `restore` does it, unless something stands against it
   * (UNDO-2). The oldest edit comes first.
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
      /** It was put back. */
      restored?: true;
      /** The edits of those that were asked for. */
      op_ids: string[];
    }[];
  }>;
}

export type Action = keyof Hands;
