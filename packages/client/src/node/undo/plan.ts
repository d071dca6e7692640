/** What undoing edits would do to each file: its state before the earliest of them counts, and nothing that came since. */
import { type FileState, isMissing, stateOf } from './file-state.ts';
import type { KeptEdit } from './shadow.ts';

/** An edit that is to be undone. */
export interface AskedEdit {
  op_id: string;
  turn_id: string;
  /** As the operation had it. */
  path: string;
}

export interface UndoneFile {
  /** The real path, where it is known. */
  path: string;
  /** `unchanged`: it is as it was; `not_kept`: `error` says why there is nothing to restore. */
  action: 'restore' | 'delete' | 'unchanged' | 'not_kept';
  /** Somebody else has changed the file since: it is not touched. */
  changed_since: boolean;
  /** Why it cannot be done. */
  error?: string;
  /** It was put back. */
  restored?: true;
  /** The asked edits that have written it. */
  op_ids: string[];
}

/** The files of a machine, held to what its tools may write. */
export interface UndoDisk {
  /** The real path of a file. @throws where it may not be written */
  real(path: string): Promise<string>;
  /** Works on a file by a path that leads to it, whatever is moved meanwhile. @throws as `real`, or of the file system */
  at<Result>(path: string, work: (place: string) => Promise<Result>): Promise<Result>;
  /** Replaces a file as a whole. @param mode its rights */
  put(place: string, content: Uint8Array, mode: number): Promise<void>;
}

/** One file of a plan. */
export interface PlannedFile {
  shown: UndoneFile;
  /** The earliest edit, whose state before comes back. */
  first?: KeptEdit;
  /** The hash of the file now; null: it is not there. */
  now?: string | null;
}

/** @param edits the oldest first @param kept those that are known here, by id */
export async function planUndo(
  edits: readonly AskedEdit[],
  kept: ReadonlyMap<string, KeptEdit>,
  disk: UndoDisk,
): Promise<PlannedFile[]> {
  const files = new Map<string, AskedEdit[]>();
  for (const edit of edits) {
    const path = kept.get(edit.op_id)?.path ?? (await disk.real(edit.path).catch(() => edit.path));
    files.set(path, [...(files.get(path) ?? []), edit]);
  }
  return Promise.all([...files].map(([path, ofFile]) => planFile(path, ofFile, kept, disk)));
}

async function planFile(
  path: string,
  edits: readonly AskedEdit[],
  kept: ReadonlyMap<string, KeptEdit>,
  disk: UndoDisk,
): Promise<PlannedFile> {
  const known = edits.flatMap(({ op_id, turn_id }) => {
    const edit = kept.get(op_id);
    return edit ? [{ ...edit, turn_id }] : [];
  });
  const first = known[0];
  const last = known.at(-1);
  const shown = { path, changed_since: false, op_ids: edits.map(({ op_id }) => op_id) };
  if (first === undefined || last === undefined || known.length < edits.length) {
    return { shown: { ...shown, action: 'not_kept', error: NOTHING_KEPT } };
  }
  if (first.not_kept !== undefined) return { shown: { ...shown, action: 'not_kept', error: first.not_kept } };
  const action = first.before === null ? 'delete' : 'restore';
  try {
    const state = await currentState(path, disk);
    const now = state?.hash ?? null;
    const isBack = now === first.before && (state === null || state.mode === first.mode);
    if (isBack) return { shown: { ...shown, action: 'unchanged' }, first, now };
    // A write that was cut, or failed, has left what was there before it.
    const isOurs = now === last.after || now === last.before;
    return { shown: { ...shown, action, changed_since: !isOurs || hasGap(known) }, first, now };
  } catch (error) {
    return { shown: { ...shown, action, error: error instanceof Error ? error.message : String(error) } };
  }
}

/** The file at its path; null where there is none. @throws where the path leads elsewhere now */
export async function currentState(path: string, disk: UndoDisk): Promise<FileState | null> {
  try {
    return await disk.at(path, place => stateOf(place));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Whether somebody else changed the file between two of the turns. Within a turn that was most likely one of its own
 * commands, whose effects go with it.
 */
const hasGap = (edits: readonly (KeptEdit & { turn_id: string })[]): boolean =>
  edits.some((edit, index) => {
    const before = edits[index - 1];
    if (before === undefined || before.turn_id === edit.turn_id) return false;
    return edit.before !== before.after && edit.before !== before.before;
  });

const NOTHING_KEPT = 'Nothing is kept of an edit of it here.';
