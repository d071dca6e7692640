/** Joins text that arrives in arbitrary pieces, possibly cut inside a surrogate pair, as providers send it. */
export class SurrogateBuffer {
  /** The first half of a character whose second half has not arrived yet. */
  #half = '';

  /** Returns the complete text so far: the stored half and the piece, without a half character at its end. */
  add(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const end = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    return text.slice(0, end).toWellFormed();
  }

  /** Returns the rest at the end of the input: a replacement character, or an empty text. */
  end(): string {
    const half = this.#half;
    this.#half = '';
    return half.toWellFormed();
  }
}
