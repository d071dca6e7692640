/** Defines a sentence of the kernel itself, identified by its id in the list of notes (ITEM-3). */
import { z } from 'zod';
import { NoteId } from '../history/note.ts';
import { itemSchema } from './common.ts';

export const MachineNoteItem = itemSchema('machine_note', { note: NoteId, text: z.string() }).meta({
  id: 'MachineNoteItem',
});
