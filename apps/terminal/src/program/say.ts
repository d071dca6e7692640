/** Messages of the programs to their user. */
import { safe } from '../text/safe.ts';

/** Writes a line to stderr, without characters that act on a terminal. */
export const say = (line: string): void =>
  void process.stderr.write(`${safe(line.trimEnd().replace(/\s*\n\s*/g, ' '))}\n`);
