/** Thrown for settings that the kernel cannot start with. */

export class SettingsError extends Error {
  /** Lines to show, each with location, setting and expectation, but no values. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'SettingsError';
    this.lines = lines;
  }
}
