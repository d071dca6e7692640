/** The notice above the input: what went wrong, or what was done. */
import type { Notice, NoticeState, Slice } from '../state/app-state.ts';
import { isGone, sentenceOf } from './error-sentence.ts';

export class Notices {
  readonly #state: Slice<NoticeState>;
  readonly #url: string;

  /** @param url of the kernel, for the sentence that it does not answer */
  constructor(state: Slice<NoticeState>, url: string) {
    this.#state = state;
    this.#url = url;
  }

  readonly notify = (text: string, kind: Notice['kind'] = 'info'): void =>
    this.#state.set({ notice: { text, kind } });

  /** Shows an error as a sentence. */
  readonly fail = (error: unknown): void =>
    this.#state.set({
      notice: { text: sentenceOf(error, this.#url), kind: 'error', passing: isGone(error) },
    });

  /** Does work, and shows its error where it fails. */
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

  /** Removes a notice that is no error: the owner goes on typing. */
  clearInfo(): void {
    if (this.#state.get().notice?.kind === 'info') this.clear();
  }

  /** Removes the notice that the kernel is gone. */
  clearPassing(): void {
    if (this.#state.get().notice?.passing) this.clear();
  }
}
