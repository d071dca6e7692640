/** Creates a directory for the current test. */
import { realpathSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './directory.ts';

/** Returns the real path of a new directory, which is removed after the test. */
export function directoryOfTest(): string {
  const directory = temporaryDirectory();
  onTestFinished(directory.remove);
  return realpathSync(directory.path);
}
