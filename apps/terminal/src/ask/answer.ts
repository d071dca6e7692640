/** Writes the text of the answer as it streams, each character once. */
import { stripVTControlCharacters } from 'node:util';
import type { TurnEvent } from '@chat-kernel/client';

export class AnswerWriter {
  readonly #write: (piece: string) => void;
  /** Characters received since the start or last reset of the turn. */
  #received = 0;
  /** Characters written: text that is sent again after a reset is not written again. */
  #written = 0;
  #gap = false;
  #last = '';

  constructor(write: (piece: string) => void) {
    this.#write = write;
  }

  take(event: TurnEvent): void {
    switch (event.type) {
      case 'text_delta':
        this.#takeText(event.text);
        return;
      case 'tool_call':
        this.#gap = this.#received > 0;
        return;
      case 'reset':
        this.#received = 0;
        this.#gap = false;
        return;
    }
  }

  /** Ends the last line if the text does not. */
  end(): void {
    if (this.#last !== '' && !this.#last.endsWith('\n')) this.#write('\n');
  }

  #takeText(text: string): void {
    const before = this.#received;
    this.#received += text.length;
    const fresh = text.slice(Math.max(0, this.#written - before));
    if (fresh === '') return;
    this.#written = this.#received;
    // Text before and after a tool call is separate paragraphs.
    const gap = this.#gap && this.#last !== '' ? '\n'.repeat(2 - countTrailingNewlines(this.#last)) : '';
    this.#gap = false;
    this.#last = fresh.length > 1 ? fresh : this.#last.slice(-1) + fresh;
    this.#write(gap + shown(fresh));
  }
}

/** Counts the newlines at the end of a text, at most 2. */
const countTrailingNewlines = (text: string): number => /\n{0,2}$/.exec(text)?.[0].length ?? 0;

/** Programs get the raw text; a terminal gets no control characters. */
const shown = (text: string): string =>
  process.stdout.isTTY ? stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '') : text;
