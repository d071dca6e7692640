/** Text that comes in pieces cut anywhere, also between the halves of a character, as providers send it. */
export class WholeText {
  /** The first half of a character whose second half has not come yet. */
  #half = '';

  /** Returns what is whole by now: the piece behind what was kept, without a half character at its end. */
  add(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const end = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    return text.slice(0, end).toWellFormed();
  }

  /** Returns what was kept, as nothing follows: a replacement character, or nothing. */
  end(): string {
    const half = this.#half;
    this.#half = '';
    return half.toWellFormed();
  }
}
