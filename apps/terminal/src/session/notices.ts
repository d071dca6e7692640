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

export class Notices {
  readonly #state: AppStore;
  readonly #url: string;

  /** @param url of the kernel, for the error that it does not answer */
  constructor(state: AppStore, url: string) {
    this.#state = state;
    this.#url = url;
  }

  get isShown(): boolean {
    return this.#state.get().notice !== null;
  }

  readonly notify = (text: string, kind: Notice['kind'] = 'info'): void =>
    this.#state.set({ notice: { text, kind } });

  /** Shows an error. */
  readonly fail = (error: unknown): void =>
    this.#state.set({
      notice: { text: describeError(error, this.#url), kind: 'error', passing: isUnreachable(error) },
    });

  /** Runs `work` and shows its error. */
  readonly attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      this.fail(error);
    }
  };

  clear(): void {
    this.#state.set({ notice: null });
  }

  /** Removes a notice that is not an error when the user continues typing. */
  clearInfo(): void {
    if (this.#state.get().notice?.kind === 'info') this.clear();
  }

  /** Removes the notice that the kernel is unreachable. */
  clearTransient(): void {
    if (this.#state.get().notice?.passing) this.clear();
  }
}
