/** The change that a call or an operation makes to a file, as far as its input shows. */

export interface FileChange {
  path: string;
  /** Null: the file is new, or its content is not known. */
  before: string | null;
  after: string;
  /** True if the two are whole files, so that line numbers are valid. */
  whole: boolean;
}

/** Returns null for all other inputs. */
export function toFileChange(name: string, input: Readonly<Record<string, unknown>>): FileChange | null {
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
