/** Keeps the beginning and the end of a command's output, up to a limit. */
import { cutText } from '@chat-kernel/text';

/** Maximum characters of all commands of a call for the model. */
const MAX_CHARS = 30_000;

export class CommandOutput {
  #head = '';
  #tail = '';
  #left_out = 0;

  add(text: string): void {
    const room = MAX_CHARS - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // A cut at each piece would copy the tail every time.
    if (this.#tail.length > 2 * MAX_CHARS) {
      this.#left_out += this.#tail.length - MAX_CHARS;
      this.#tail = this.#tail.slice(-MAX_CHARS);
    }
  }

  get length(): number {
    return this.#head.length + this.#left_out + this.#tail.length;
  }

  /** Returns the last `chars` characters. */
  end(chars: number): string {
    return truncateStart(this.#head + this.#tail, chars);
  }

  /** Returns about `chars` characters at most: half of them from the beginning, half from the end. */
  shown(chars: number): string {
    if (this.length <= chars) return this.#head + this.#tail;
    const half = Math.floor(chars / 2);
    const head = cutText(this.#head, half);
    const tail = truncateStart(this.#head + this.#tail, half);
    const gone = this.length - head.length - tail.length;
    return `${head}\n[${gone} characters skipped; redirect the output to a file to read all of it]\n${tail}`;
  }
}

/** Divides `total` characters: outputs that need less than an even share leave the rest to the others. */
export function shares(lengths: readonly number[], total = MAX_CHARS): number[] {
  const given = lengths.map(() => 0);
  let left = total;
  const byLength = lengths.map((_, index) => index).sort((a, b) => lengths[a]! - lengths[b]!);
  byLength.forEach((index, done) => {
    given[index] = Math.min(lengths[index]!, Math.floor(left / (lengths.length - done)));
    left -= given[index]!;
  });
  return given;
}

/** Returns the end of a text, without half a character at its beginning. */
const truncateStart = (text: string, chars: number): string =>
  text.length <= chars || chars === 0
    ? text.slice(0, chars)
    : text.slice(-chars).replace(/^[\udc00-\udfff]/, '');
