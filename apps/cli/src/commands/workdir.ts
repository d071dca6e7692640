/** Resolves --workdir and checks that it exists. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '@chat-kernel/settings/start-failure';
import type { HANDS } from '@chat-kernel/terminal';

/**
 * Returns the absolute folder; by default the current one.
 * @param hands with `kernel`, the folder is on the kernel's machine and is not checked here
 * @throws CommandError if it is not a folder
 */
export function resolveWorkdir(word: string | undefined, hands: (typeof HANDS)[number]): string {
  const folder = resolve(word ?? '.');
  if (word === undefined || hands === 'kernel') return folder;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandError(`--workdir ${word} does not exist (${folder}).`);
  if (!found.isDirectory()) throw new CommandError(`--workdir ${word} is not a folder (${folder}).`);
  return folder;
}
