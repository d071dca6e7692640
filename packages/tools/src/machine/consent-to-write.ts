/** Asks the owner before a file of the kernel's machine is written (WHO-6, CONSENT-6). */
import type { WriteRules } from '@chat-kernel/hands/own-machine';
import type { ToolContext } from '@chat-kernel/kernel';
import { protectedPath } from '@chat-kernel/protocol';
import { isUnconfined } from './is-unconfined.ts';

/**
 * @param real the real path of the file
 * @throws OperationError if the file may not be written
 */
export async function consentToWrite(
  real: string,
  content: string,
  { chat, consent }: Pick<ToolContext, 'chat' | 'consent'>,
  { paths, sandbox }: Pick<WriteRules, 'paths' | 'sandbox'>,
): Promise<void> {
  const isProtected = protectedPath(real, chat.workdir) !== undefined;
  await consent({
    action: 'write',
    path: real,
    content,
    sandbox: await sandbox.kind(),
    ...((await isUnconfined(await paths.workdir(chat), { paths, sandbox })) && { isUnconfined: true }),
    // Neither the approval of all writes nor that of edits covers such a file.
    ...(isProtected && { isProtected, target: real }),
  });
}
