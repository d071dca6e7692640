/** Messages of the programs to their user. */

import { safe } from '../text/safe.ts';
import { oneLine } from '../text/words.ts';

/** Writes a line to stderr, without characters that act on a terminal. */
export const say = (line: string): void => void process.stderr.write(`${safe(oneLine(line.trimEnd()))}\n`);
