/** Stores the unsent message of each chat, so that it survives a reload. */
import { readStored, writeStored } from '../base/storage.ts';
import { Store } from '../base/store.ts';

/** Milliseconds after the last key before a draft is stored. */
const QUIET_MS = 250;

export class Draft {
  readonly text: Store<string>;
  readonly #key: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param chatId null: a new chat */
  constructor(chatId: string | null) {
    this.#key = `draft:${chatId ?? 'new'}`;
    this.text = new Store(readStored(this.#key) ?? '');
  }

  write(text: string): void {
    this.text.set(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), QUIET_MS);
  }

  /** Inserts a text before the current draft, such as a message that was taken back. */
  restore(text: string): void {
    const now = this.text.get();
    this.write(now === '' ? text : `${text}\n${now}`);
    this.keep();
  }

  /** Moves the text to a chat: what was written while the chat was being created. */
  moveTo(chatId: string): void {
    new Draft(chatId).restore(this.text.get());
    this.write('');
    this.keep();
  }

  readonly keep = (): void => {
    clearTimeout(this.#timer);
    writeStored(this.#key, this.text.get());
  };
}
