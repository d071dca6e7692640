/** What a file of this machine is before a tool writes it, kept for a rewind (UNDO-1). */
import { join } from 'node:path';
import type { ToolContext } from '@chat-kernel/kernel';
import type { WritePlace, WriteRules } from './write-place.ts';

/** Resolves when the file may be written. @param after what it will be */
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
