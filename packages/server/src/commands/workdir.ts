/** The folder of --workdir, which is there before a chat begins in it. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HANDS } from '@chat-kernel/terminal';
import { CommandError } from '../start/start-failure.ts';

/**
 * Returns an absolute folder; without a word the present one.
 * @param hands with `kernel` the folder is on the kernel's machine, which knows whether it is there
 * @throws CommandError where it is no folder
 */
export function workdirOf(word: string | undefined, hands: (typeof HANDS)[number]): string {
  const folder = resolve(word ?? '.');
  if (word === undefined || hands === 'kernel') return folder;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandError(`--workdir ${word} is not there (${folder})`);
  if (!found.isDirectory()) throw new CommandError(`--workdir ${word} is no folder (${folder})`);
  return folder;
}
