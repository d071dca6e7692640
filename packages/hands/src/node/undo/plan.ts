/** Plans an undo: each file returns to its state before the earliest of the edits, unless something else changed it. */
import { type FileState, isMissing, readFileState } from './file-state.ts';
import type { StoredEdit } from './shadow.ts';

/** An edit to undo. */
export interface RequestedEdit {
  op_id: string;
  turn_id: string;
  /** The path in the operation. */
  path: string;
}

export interface UndoneFile {
  /** The real path, if known. */
  path: string;
  /** `unchanged`: the file already has this state; `not_kept`: `error` says why there is nothing to restore. */
  action: 'restore' | 'delete' | 'unchanged' | 'not_kept';
  /** Something else has changed the file since, so it is left as it is. */
  changed_since: boolean;
  /** Why the file cannot be restored. */
  error?: string;
  /** The file was restored. */
  restored?: true;
  /** The requested edits of this file. */
  op_ids: string[];
}

/** The files of a machine, restricted to what its tools may write. */
export interface UndoDisk {
  /** Returns the real path of a file. @throws if it may not be written */
  real(path: string): Promise<string>;
  /**
   * Works on a file by a path that keeps leading to it, even if directories are moved.
   * @throws the errors of `real`, or of the file system
   */
  at<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result>;
  /** Replaces a whole file. @param mode its permissions */
  put(path: string, content: Uint8Array, mode: number): Promise<void>;
}

/** One file of a plan. */
export interface PlannedFile {
  shown: UndoneFile;
  /** The earliest edit; the state before it is restored. */
  first?: StoredEdit;
  /** The current hash of the file; null: it does not exist. */
  now?: string | null;
}

/** @param edits oldest first @param stored the stored edits, by id */
export async function planUndo(
  edits: readonly RequestedEdit[],
  stored: ReadonlyMap<string, StoredEdit>,
  disk: UndoDisk,
): Promise<PlannedFile[]> {
  const files = new Map<string, RequestedEdit[]>();
  for (const edit of edits) {
    const path = stored.get(edit.op_id)?.path ?? (await disk.real(edit.path).catch(() => edit.path));
    files.set(path, [...(files.get(path) ?? []), edit]);
  }
  return Promise.all([...files].map(([path, fileEdits]) => planFile(path, fileEdits, stored, disk)));
}

async function planFile(
  path: string,
  edits: readonly RequestedEdit[],
  stored: ReadonlyMap<string, StoredEdit>,
  disk: UndoDisk,
): Promise<PlannedFile> {
  const storedEdits = edits.flatMap(({ op_id, turn_id }) => {
    const edit = stored.get(op_id);
    return edit ? [{ ...edit, turn_id }] : [];
  });
  const first = storedEdits[0];
  const last = storedEdits.at(-1);
  const shown = { path, changed_since: false, op_ids: edits.map(({ op_id }) => op_id) };
  if (first === undefined || last === undefined || storedEdits.length < edits.length) {
    return { shown: { ...shown, action: 'not_kept', error: NOT_STORED } };
  }
  if (first.not_kept !== undefined) return { shown: { ...shown, action: 'not_kept', error: first.not_kept } };
  const action = first.before === null ? 'delete' : 'restore';
  try {
    const state = await currentState(path, disk);
    const now = state?.hash ?? null;
    const isRestored = now === first.before && (state === null || state.mode === first.mode);
    if (isRestored) return { shown: { ...shown, action: 'unchanged' }, first, now };
    // An interrupted or failed write has left the earlier content.
    const isOurs = now === last.after || now === last.before;
    return { shown: { ...shown, action, changed_since: !isOurs || hasGap(storedEdits) }, first, now };
  } catch (error) {
    return { shown: { ...shown, action, error: error instanceof Error ? error.message : String(error) } };
  }
}

/**
 * Returns the state of the file at its path; null if it does not exist.
 * @throws if the path leads to another file now
 */
export async function currentState(path: string, disk: UndoDisk): Promise<FileState | null> {
  try {
    return await disk.at(path, stablePath => readFileState(stablePath));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * True if the file was changed from outside between two of the turns. A change within a turn was most likely made by a
 * command of that turn, and it is undone with it.
 */
const hasGap = (edits: readonly (StoredEdit & { turn_id: string })[]): boolean =>
  edits.some((edit, index) => {
    const before = edits[index - 1];
    if (before === undefined || before.turn_id === edit.turn_id) return false;
    return edit.before !== before.after && edit.before !== before.before;
  });

const NOT_STORED = 'This machine has not stored an edit of this file.';
