/** Decides whether operations of a chat are neither in a sandbox nor in a directory that the owner has set (CONSENT-8). */
import type { MachinePaths, WriteRules } from '@chat-kernel/hands/own-machine';

/** @param cwd the directory in which the chat works, as `MachinePaths.workdir` returns it */
export const isUnconfined = async (
  cwd: string,
  { paths, sandbox }: { paths: MachinePaths; sandbox: Pick<WriteRules['sandbox'], 'isMissing'> },
): Promise<boolean> => paths.isScratch(cwd) && (await sandbox.isMissing());
