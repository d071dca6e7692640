/** How far a long command is, on stderr. */
import type { WriteStream } from 'node:tty';
import type { Progress } from '@chat-kernel/storage';

/** Time between two changes of a line on a terminal, and between two lines elsewhere. */
const TERMINAL_MS = 100;
const FILE_MS = 10_000;

/** On a terminal one line that changes; elsewhere a line for each thing that is done, and now and then one between. */
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
