/** A directory for one test, in the test that runs. */
import { realpathSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './directory.ts';

/** Its real path. It goes when the test is over. */
export function directoryOfTest(): string {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  return realpathSync(directory.path);
}
