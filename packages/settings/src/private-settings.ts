/** Checks that other users cannot read the secrets in the settings file. */
import { readFile, stat } from 'node:fs/promises';
import { isOpenToOthers, type Settings } from '@chat-kernel/protocol';
import { collectSecrets } from './secrets.ts';

/**
 * Whether the file contains a secret of the settings, and other users can read it. False if it is not a file: settings may
 * come from a pipe, which can be read only once, and the file may be gone since it was read.
 */
export async function showsSecrets(file: string, settings: Settings): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile() || !isOpenToOthers(found)) return false;
  const text = await readFile(file, 'utf8');
  return collectSecrets(settings, {}).some(secret => text.includes(secret));
}
