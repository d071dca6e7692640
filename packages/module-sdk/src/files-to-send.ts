/** Prepares files that a module sends outside: only the kernel reads them, and only the owner approves them. */
import { KernelApiError, type KernelClient } from '@chat-kernel/client';
import { sizeForPeople, type TurnContext, type UploadedFile } from '@chat-kernel/protocol';
import { ToolError } from './answers.ts';
import type { CallContext } from './define.ts';

interface Call {
  kernel: KernelClient;
  context: TurnContext;
  signal: AbortSignal;
  consent: CallContext['consent'];
}

export const filesToSend =
  ({ kernel, context, signal, consent }: Call): CallContext['filesToSend'] =>
  async (paths, shown, check = () => {}) => {
    if (!(context.master && context.trusted)) {
      throw new ToolError('Files can be sent only in turns of the master.');
    }
    const files: UploadedFile[] = [];
    for (const path of paths) {
      const file = await kernel.copyFile(context.chat_id, { path }, { signal }).catch(refused);
      check(file);
      files.push(file);
    }
    const list = files.map(
      ({ name, size }, index) => `${name} (${sizeForPeople(size)}), from ${paths[index]}`,
    );
    await consent({ ...shown, files: list.join('\n') });
    return files;
  };

/** @throws ToolError with the reason of the kernel, or the error itself */
function refused(error: unknown): never {
  throw error instanceof KernelApiError ? new ToolError(error.detail, { cause: error }) : error;
}
