/** Text as HTML flows it, in lines that may have something before them: the mark of a list, of a quote. */

interface Margin {
  first: string;
  rest: string;
  /** It has had its first line. */
  begun: boolean;
}

export class Lines {
  readonly #pieces: string[] = [];
  readonly #margins: Margin[] = [];
  /** Line ends that are due before the next piece. */
  #due = 0;
  #space = false;

  /** Adds a piece in which white space of any kind is a single space. */
  add(piece: string): void {
    const words = piece.trim().replace(/\s+/g, ' ');
    if (/^\s/.test(piece)) this.#space = true;
    if (words === '') return;
    this.#begin();
    this.#pieces.push(words);
    this.#space = /\s$/.test(piece);
  }

  /** Adds lines as they are. */
  addAsIs(text: string): void {
    for (const line of text.split('\n')) {
      this.#begin();
      this.#pieces.push(line);
      this.endLine(1);
    }
  }

  /** Ends the line; with 2, leaves an empty one behind it. */
  endLine(ends: 1 | 2): void {
    if (this.#pieces.length > 0) this.#due = Math.max(this.#due, ends);
    this.#space = false;
  }

  /** What `write` adds has a margin: `first` before its first line, `rest` before the others. */
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
      // An empty line belongs to the quote around it.
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
