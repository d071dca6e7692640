/** The notice above the input: an error or a confirmation. */
import { isUnreachable } from '@chat-kernel/client';
import type { AppStore, Notice } from '../state/app-state.ts';

/** @param url of the kernel */
function describeError(error: unknown, url: string): string {
  const file = fileFailure(error);
  if (file !== null) return file;
  const { message } = error instanceof Error ? error : new Error(String(error));
  return isUnreachable(error) ? `No server is responding at ${url}.` : message;
}

/** Describes a file system error; null for other errors. */
function fileFailure(error: unknown): string | null {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  const words = FILE_FAILURES[code];
  return words === undefined || path === undefined ? null : `${path} ${words}.`;
}

const FILE_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EEXIST: 'already exists; choose another name',
  EACCES: 'cannot be opened: permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not inside a folder',
};

export type Notices = ReturnType<typeof openNotices>;

/** @param url of the kernel, for the error that it does not answer */
export function openNotices(store: AppStore, url: string) {
  const clear = (): void => store.set({ notice: null });

  const notify = (text: string, kind: Notice['kind'] = 'info'): void => store.set({ notice: { text, kind } });

  /** Shows an error. */
  const fail = (error: unknown): void =>
    store.set({ notice: { text: describeError(error, url), kind: 'error', passing: isUnreachable(error) } });

  return {
    clear,
    notify,
    fail,

    /** Runs `work` and shows its error. */
    async attempt(work: () => unknown): Promise<void> {
      try {
        await work();
      } catch (error) {
        fail(error);
      }
    },

    /** Removes a notice that is not an error when the user continues typing. */
    clearInfo(): void {
      if (store.get().notice?.kind === 'info') clear();
    },

    /** Removes the notice that the kernel is unreachable. */
    clearTransient(): void {
      if (store.get().notice?.passing) clear();
    },
  };
}
