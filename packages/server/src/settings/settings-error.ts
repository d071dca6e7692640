/** Settings that the kernel cannot start with. */

export class SettingsError extends Error {
  /** Lines to show, each with place, setting and what was expected; none has a value. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'SettingsError';
    this.lines = lines;
  }
}
