/** Collects text as HTML renders it: white space becomes one space, and blocks begin on new lines. */
export class FlowingText {
  #pieces: string[] = [];
  /** Line ends to add before the next piece. */
  #due = 0;
  /** Whether a space is needed before the next piece. */
  #space = false;

  /** Adds a piece; any white space in it becomes a single space. */
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

  /** Ends the line; with 2, adds an empty line. */
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
