/** Stores the state of a file of this machine before a tool writes it, for a rewind (UNDO-1). */
import { join } from 'node:path';
import type { WritePlace, WriteRules } from '@chat-kernel/hands/own-machine';
import type { ToolContext } from '@chat-kernel/kernel';

/** Resolves when the file may be written. @param after the new content */
export async function keepBefore(
  { real, directory, name }: WritePlace,
  after: Uint8Array,
  { chat, noteEdit }: Pick<ToolContext, 'chat' | 'noteEdit'>,
  { undo }: Pick<WriteRules, 'undo'>,
): Promise<void> {
  if (undo === undefined) return;
  const op_id = await noteEdit(real);
  await undo.keep({ chat_id: chat.id, op_id, path: real, place: join(directory, name), after });
}
