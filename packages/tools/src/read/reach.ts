/**
 * Limits what turns of other people may read on a machine: uploaded files, and files of the chat's working directory
 * (CONSENT-15).
 */
import { isWithin, type MachinePaths, PathError } from '@chat-kernel/hands/own-machine';
import { isWithinThere, type ToolContext } from '@chat-kernel/kernel';

const REFUSAL =
  'Only the master can read this path. Others read attached files, and files in the working directory of the chat.';

/** @throws PathError if the turn may not read the path, or the error of the file system */
export async function checkReach(
  path: string,
  { chat, hands, turn_context: { master, trusted } }: ToolContext,
  paths: MachinePaths,
): Promise<void> {
  if ((master && trusted) || (await paths.isUploaded(path))) return;
  const isReachable =
    hands === null
      ? chat.workdir !== null && isWithin(await paths.toRead(path, chat), await paths.workdir(chat))
      : isWithinThere(chat.workdir, path);
  if (!isReachable) throw new PathError(REFUSAL);
}
