/** Shows what a call does while it runs, without flooding those who watch. */

/** Bytes of one snapshot. */
const MAX_BYTES = 8192;
const SHORTEST_MS = 250;
const LONGEST_MS = 5000;

export class Snapshots {
  readonly #take: () => string;
  readonly #show: (output: string) => void;
  readonly #began = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  /** @param take what there is to show; its last 8 KiB are shown */
  constructor(take: () => string, show: (output: string) => void) {
    this.#take = take;
    this.#show = show;
  }

  /** There is something new. It is shown now or soon, at most four times a second. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.#now(), Math.max(0, this.#last + this.#pause() - Date.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #now(): void {
    this.#timer = undefined;
    this.#last = Date.now();
    this.#show(lastBytes(this.#take()));
  }

  /** Every snapshot is kept as long as its turn runs, so those of a long command come less often. */
  #pause(): number {
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Date.now() - this.#began) / 40));
  }
}

/** The last 8 KiB, from the beginning of a character on (OP-8). */
export function lastBytes(text: string): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - MAX_BYTES);
  // Bytes 10xxxxxx go on with a character.
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.toString('utf8', start);
}
