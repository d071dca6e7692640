/** A sentence of the kernel itself, known by its id in the list of notes (ITEM-3). */
import { z } from 'zod';
import { NoteId } from '../history/note.ts';
import { itemOf } from './common.ts';

export const MachineNoteItem = itemOf('machine_note', { note: NoteId, text: z.string() }).meta({
  id: 'MachineNoteItem',
});
