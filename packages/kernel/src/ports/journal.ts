/** Defines the file that stores running steps, piece by piece, before readers get them (SAFE-4). */
export interface JournalFile {
  /** True if only this machine can continue the turns, so that the store needs no copies of running steps. */
  readonly alone: boolean;
  /** The size of the file in bytes. */
  readonly size: number;
  /**
   * Appends lines, including their line ends, in one write that has ended when this returns. Does not wait for the
   * disk.
   */
  append(lines: string): void;
  /** Replaces all lines with these: completely, or not at all. */
  replace(lines: string): void;
  /** Returns the lines in the file, without their line ends. The last one may be incomplete. */
  read(): string[];
  close(): void;
}
