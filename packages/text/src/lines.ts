/** Builds lines from the inline text of HTML, with optional prefixes such as the marker of a list or a quote. */
import { toSingleLine } from './lengths.ts';

interface Margin {
  first: string;
  rest: string;
  /** True if the first line has been written. */
  begun: boolean;
}

export class Lines {
  readonly #pieces: string[] = [];
  readonly #margins: Margin[] = [];
  /** Line breaks to add before the next piece. */
  #due = 0;
  #space = false;

  /** Adds a piece, with each run of white space as a single space. */
  add(piece: string): void {
    const words = toSingleLine(piece);
    if (/^\s/.test(piece)) this.#space = true;
    if (words === '') return;
    this.#begin();
    this.#pieces.push(words);
    this.#space = /\s$/.test(piece);
  }

  /** Adds a piece unchanged. */
  addAsIs(piece: string): void {
    this.#begin();
    this.#pieces.push(piece);
  }

  /** Ends the line; 2 adds an empty line. */
  endLine(ends: 1 | 2): void {
    if (this.#pieces.length > 0) this.#due = Math.max(this.#due, ends);
    this.#space = false;
  }

  /** Adds a prefix to the lines that `write` adds: `first` for the first one, `rest` for the others. */
  within(first: string, rest: string, write: () => void): void {
    this.#margins.push({ first, rest, begun: false });
    write();
    this.#margins.pop();
  }

  toString(): string {
    return this.#pieces.join('');
  }

  #begin(): void {
    if (this.#due > 0 || this.#pieces.length === 0) {
      // An empty line is part of the enclosing quote.
      const between =
        this.#due > 1 ? `${this.#margin(({ begun, rest }) => (begun ? rest : '')).trimEnd()}\n` : '';
      this.#pieces.push(this.#due > 0 ? `\n${between}` : '');
      this.#pieces.push(this.#margin(({ begun, first, rest }) => (begun ? rest : first)));
      for (const each of this.#margins) each.begun = true;
    } else if (this.#space) this.#pieces.push(' ');
    this.#due = 0;
    this.#space = false;
  }

  #margin(part: (margin: Margin) => string): string {
    return this.#margins.map(part).join('');
  }
}
