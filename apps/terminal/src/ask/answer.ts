/** The words of the answer, written as they come, each once. */
import { stripVTControlCharacters } from 'node:util';
import type { TurnEvent } from '@chat-kernel/client';

export class Answer {
  readonly #write: (piece: string) => void;
  /** Characters of the turn that were told, and of them written: a turn that is told again is not written again. */
  #told = 0;
  #written = 0;
  #gap = false;
  #last = '';

  constructor(write: (piece: string) => void) {
    this.#write = write;
  }

  take(event: TurnEvent): void {
    if (event.type === 'reset') {
      this.#told = 0;
      this.#gap = false;
    } else if (event.type === 'text_delta') this.#tell(event.text);
    else if (event.type === 'tool_call') this.#gap = this.#told > 0;
  }

  /** Text that ends in the midst of a line ends it. */
  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#write('\n');
  }

  #tell(text: string): void {
    const before = this.#told;
    this.#told += text.length;
    const fresh = text.slice(Math.max(0, this.#written - before));
    if (fresh === '') return;
    this.#written = this.#told;
    // What was said before a call and after it are paragraphs of their own.
    const gap = this.#gap && this.#last !== '' ? '\n'.repeat(2 - endOf(this.#last)) : '';
    this.#gap = false;
    this.#last = fresh.length > 1 ? fresh : this.#last.slice(-1) + fresh;
    this.#write(gap + shown(fresh));
  }
}

/** How many line ends the text ends with, at most 2. */
const endOf = (text: string): number => /\n{0,2}$/.exec(text)?.[0].length ?? 0;

/** A program gets the words as they are; on a terminal nothing but words may act. */
const shown = (text: string): string =>
  process.stdout.isTTY ? stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '') : text;
