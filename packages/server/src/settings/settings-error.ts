/** Settings that the kernel cannot start with. */

export class SettingsError extends Error {
  /** One line each, ready to be shown: the place, the setting, what was expected. Never a value. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'SettingsError';
    this.lines = lines;
  }
}
