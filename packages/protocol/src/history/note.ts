/** Defines the ids of notes, for schemas. */
import { z } from 'zod';
import { NOTE_FACTS } from '../tables/note-facts.ts';

export const NoteId = z.enum(Object.keys(NOTE_FACTS) as [keyof typeof NOTE_FACTS]);
export type NoteId = keyof typeof NOTE_FACTS;
