/** The file in which running steps are kept, piece by piece, before anybody is told of them (SAFE-4). */
export interface JournalFile {
  /** True where only this machine can go on with the turns, so that the store needs no copies of running steps. */
  readonly alone: boolean;
  /** Bytes in the file. */
  readonly size: number;
  /** Appends lines, whose ends they bring, in one write that is over when this returns. Nothing waits for the disk. */
  append(lines: string): void;
  /** Puts these lines in the place of all others: whole, or not at all. */
  replace(lines: string): void;
  /** Returns the lines that are in the file, without their ends. The last one may be half a line. */
  read(): string[];
  close(): void;
}
