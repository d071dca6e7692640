/** Collects the output of a command. If there is too much, it keeps the beginning and the end. */
import { StringDecoder } from 'node:string_decoder';

/** The kernel shows the last 8 KiB of a snapshot. */
const SHOWN_CHARS = 8 * 1024;

export class Output {
  readonly #half: number;
  readonly #decoder = new StringDecoder('utf8');
  #head = '';
  #tail = '';
  /** The number of dropped characters between the two. */
  #leftOut = 0;

  /** @param maxChars maximum of stored characters, half of them from the beginning */
  constructor(maxChars: number) {
    this.#half = Math.ceil(maxChars / 2);
  }

  push(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** Ends the output. An incomplete character at its end becomes a replacement character. */
  end(): void {
    this.#take(this.#decoder.end());
  }

  get text(): string {
    const left_out = this.#leftOut + Math.max(0, this.#tail.length - this.#half);
    if (left_out === 0) return this.#head + this.#tail;
    return `${this.#head}\n[${left_out} characters left out here]\n${this.#tail.slice(-this.#half)}`;
  }

  /** The latest output, as much as is shown while the command runs. */
  get last(): string {
    return (this.#tail.length < SHOWN_CHARS ? this.#head + this.#tail : this.#tail).slice(-SHOWN_CHARS);
  }

  #take(text: string): void {
    const missing = Math.max(0, this.#half - this.#head.length);
    this.#head += text.slice(0, missing);
    this.#tail += text.slice(missing);
    const over = this.#tail.length - this.#half;
    // Cut the tail only when it is twice as long, not at each piece.
    if (over <= this.#half) return;
    this.#tail = this.#tail.slice(over);
    this.#leftOut += over;
  }
}
