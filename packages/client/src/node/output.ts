/** What a command prints, as it comes: the beginning and the end of it, where it is too much. */
import { StringDecoder } from 'node:string_decoder';

/** The kernel shows the last 8 KiB of a snapshot. */
const SHOWN_CHARS = 8 * 1024;

export class Output {
  readonly #half: number;
  readonly #decoder = new StringDecoder('utf8');
  #head = '';
  #tail = '';
  /** Characters between the two that are gone. */
  #leftOut = 0;

  /** @param maxChars of what is kept, half of it from the beginning */
  constructor(maxChars: number) {
    this.#half = Math.ceil(maxChars / 2);
  }

  push(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** No more will come: half a character at the end is told as such. */
  end(): void {
    this.#take(this.#decoder.end());
  }

  get text(): string {
    const left_out = this.#leftOut + Math.max(0, this.#tail.length - this.#half);
    if (left_out === 0) return this.#head + this.#tail;
    return `${this.#head}\n[${left_out} characters left out here]\n${this.#tail.slice(-this.#half)}`;
  }

  /** What came last, as much as is shown while it runs. */
  get last(): string {
    return (this.#tail.length < SHOWN_CHARS ? this.#head + this.#tail : this.#tail).slice(-SHOWN_CHARS);
  }

  #take(text: string): void {
    const room = this.#half - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    const over = this.#tail.length - this.#half;
    // Cut seldom, not at each piece.
    if (over <= this.#half) return;
    this.#tail = this.#tail.slice(over);
    this.#leftOut += over;
  }
}
