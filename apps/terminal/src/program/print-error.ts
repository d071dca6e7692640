/** Prints messages to the user. */
import { oneLine } from '../text/normalize.ts';
import { safe } from '../text/safe.ts';

/** Writes a line to stderr, without control characters. */
export const printError = (line: string): void =>
  void process.stderr.write(`${safe(oneLine(line.trimEnd()))}\n`);
