/**
 * Combines the edits recorded by all kernels on a shared database, so that a rewind finds edits made while another
 * kernel owned the chat (FLEET-4). Previous file states stay on the machine that wrote the files.
 */
import type { FleetStore, Undo } from '../ports/index.ts';

/** @param own the undo of the machine of this kernel */
export const sharedNotes = (
  own: Undo,
  fleet: Pick<FleetStore, 'noteEdit' | 'edits' | 'refusedEdit'>,
): Undo => ({
  async note(chatId, edit) {
    await own.note(chatId, edit);
    await fleet.noteEdit(chatId, edit);
  },
  async refused(chatId, opId) {
    await own.refused(chatId, opId);
    await fleet.refusedEdit(opId);
  },
  async noted(chatId) {
    const here = await own.noted(chatId);
    const known = new Set(here.map(({ op_id }) => op_id));
    const elsewhere = (await fleet.edits(chatId)).filter(({ op_id }) => !known.has(op_id));
    // Operation ids begin with their time.
    return [...here, ...elsewhere].sort((a, b) => (a.op_id < b.op_id ? -1 : 1));
  },
  undo: (chat, mode, edits) => own.undo(chat, mode, edits),
  forget: chatId => own.forget(chatId),
});
