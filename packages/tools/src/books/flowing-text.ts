/** Text as HTML flows it: white space is one space, blocks begin on lines of their own. */
export class FlowingText {
  #pieces: string[] = [];
  /** The number of line ends that are due before the next piece. */
  #due = 0;
  /** True where a space is due before the next piece. */
  #space = false;

  /** Adds a piece, in which any white space is a single space. */
  add(piece: string): void {
    const words = piece.trim().replace(/\s+/g, ' ');
    if (/^\s/.test(piece)) this.#space = true;
    if (words === '') return;
    this.#begin();
    this.#pieces.push(words);
    this.#space = /\s$/.test(piece);
  }

  addAsIs(piece: string): void {
    if (piece === '') return;
    this.#begin();
    this.#pieces.push(piece);
  }

  /** Ends the line; with 2, leaves an empty line behind it. */
  endLine(ends: 1 | 2): void {
    if (this.#pieces.length > 0) this.#due = Math.max(this.#due, ends);
    this.#space = false;
  }

  toString(): string {
    return this.#pieces.join('').trim();
  }

  #begin(): void {
    if (this.#due > 0) this.#pieces.push('\n'.repeat(this.#due));
    else if (this.#space && this.#pieces.length > 0) this.#pieces.push(' ');
    this.#due = 0;
    this.#space = false;
  }
}
