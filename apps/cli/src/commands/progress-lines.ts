/** Prints the progress of a long command to stderr. */
import type { WriteStream } from 'node:tty';
import type { Progress } from '@chat-kernel/storage';

/** Update interval of the line on a terminal, and between lines elsewhere. */
const TERMINAL_MS = 100;
const FILE_MS = 10_000;

/** Updates one line on a terminal. Elsewhere, prints a line per finished step and periodically. */
export class ProgressLines {
  readonly #to: Pick<WriteStream, 'write' | 'isTTY'>;
  readonly #quiet: boolean;
  #shown = performance.now();
  #last: Progress | undefined;

  constructor(to: Pick<WriteStream, 'write' | 'isTTY'>, quiet: boolean) {
    this.#to = to;
    this.#quiet = quiet;
  }

  readonly show = (progress: Progress): void => {
    if (this.#quiet) return;
    const { isTTY } = this.#to;
    if (this.#last !== undefined && this.#last.doing !== progress.doing && !isTTY) this.#write(this.#last);
    this.#last = progress;
    const now = performance.now();
    if (now - this.#shown < (isTTY ? TERMINAL_MS : FILE_MS)) return;
    this.#shown = now;
    this.#write(progress);
  };

  /** Prints a line before the first progress. */
  note(sentence: string): void {
    if (!this.#quiet) this.#to.write(`${sentence}\n`);
  }

  end(): void {
    if (this.#last !== undefined) this.#write(this.#last);
    if (this.#last !== undefined && this.#to.isTTY) this.#to.write('\n');
    this.#last = undefined;
  }

  #write({ doing, done, total }: Progress): void {
    const line = `${doing}: ${done === total ? done : `${done} of ${total}`}`;
    this.#to.write(this.#to.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
