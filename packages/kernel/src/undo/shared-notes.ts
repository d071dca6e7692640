/**
 * The notes of edits where several kernels share a database: those of all of them, so that a rewind finds what was written
 * while the chat belonged to another one (FLEET-4). What files were stays on the machine that wrote them.
 */
import type { FleetStore, Undo } from '../ports/index.ts';

/** @param own of this kernel's machine */
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
    // The ids of operations begin with their time.
    return [...here, ...elsewhere].sort((a, b) => (a.op_id < b.op_id ? -1 : 1));
  },
  undo: (chat, mode, edits) => own.undo(chat, mode, edits),
  forget: chatId => own.forget(chatId),
});
