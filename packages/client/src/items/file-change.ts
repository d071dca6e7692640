/** The change that a call or an operation makes to a file, as far as its input tells. */

export interface FileChange {
  path: string;
  /** Null: there was no file, or what it had is not known. */
  before: string | null;
  after: string;
  /** Whether the two are whole files, so that the numbers of their lines mean something. */
  whole: boolean;
}

/** Returns null for inputs of anything else. */
export function changeOf(name: string, input: Readonly<Record<string, unknown>>): FileChange | null {
  const { path, old, new: fresh, content } = input;
  if (typeof path !== 'string') return null;
  if (name === 'edit_file' && typeof old === 'string' && typeof fresh === 'string') {
    return { path, before: old, after: fresh, whole: false };
  }
  if ((name === 'write_file' || name === 'write') && typeof content === 'string') {
    return { path, before: null, after: content, whole: true };
  }
  return null;
}
