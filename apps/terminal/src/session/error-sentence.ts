/** Errors as sentences for the owner. */

/** @param url of the kernel */
export function sentenceOf(error: unknown, url: string): string {
  const file = fileFailure(error);
  if (file !== null) return file;
  const { message } = error instanceof Error ? error : new Error(String(error));
  return isGone(error) ? `No kernel answers at ${url}.` : message;
}

/** Whether no kernel answered; the error is over as soon as one does. */
export const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'BrokenLine';

/** Returns what the system says about a file, in words; null for other errors. */
function fileFailure(error: unknown): string | null {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  const words = FILE_FAILURES[code];
  return words === undefined || path === undefined ? null : `${path} ${words}.`;
}

const FILE_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EEXIST: 'is there already; name another file',
  EACCES: 'may not be opened by you',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below something that is no folder',
};
