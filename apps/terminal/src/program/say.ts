/** One line to the person behind the script: on stderr, and nothing in it acts on a terminal. */
import { safe } from '../text/safe.ts';

export const say = (line: string): void =>
  void process.stderr.write(`${safe(line.trimEnd().replace(/\s*\n\s*/g, ' '))}\n`);
