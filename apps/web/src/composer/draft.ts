/** What is being written in a chat: it survives a reload, and another chat has its own. */
import { keep, kept } from '../base/kept.ts';
import { Store } from '../base/store.ts';

/** Milliseconds after the last key before a draft is kept. */
const QUIET_MS = 250;

export class Draft {
  readonly text: Store<string>;
  readonly #key: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param chatId null: the chat that the first message makes */
  constructor(chatId: string | null) {
    this.#key = `draft:${chatId ?? 'new'}`;
    this.text = new Store(kept(this.#key) ?? '');
  }

  write(text: string): void {
    this.text.set(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), QUIET_MS);
  }

  /** Puts a text in front of what is there, such as a message that was taken back. */
  restore(text: string): void {
    const now = this.text.get();
    this.write(now === '' ? text : `${text}\n${now}`);
    this.keep();
  }

  readonly keep = (): void => {
    clearTimeout(this.#timer);
    keep(this.#key, this.text.get());
  };
}
