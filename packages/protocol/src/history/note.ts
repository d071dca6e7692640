/** The list of notes: all sentences that the kernel itself may write into a history, by their ids. */
import { z } from 'zod';

/** Note id → the text that is stored with it. The opening in brackets shows people that the machine speaks. */
export const NOTES = {
  fork_marker: '[forked] This chat began as a branch of another one.',
  turn_cancelled: '[cancelled] This turn was cancelled.',
  turn_failed: '[failed] This turn ended with an error.',
  kernel_restarted: '[restarted] The kernel stopped during this turn; what was unfinished was closed.',
  woken: '[woken] The turn slept and was woken.',
  spend_cap_near: '[spend] A cap on spending is near.',
  blocked: '[blocked] A module stopped a call of this turn.',
  imported: '[imported] This came with an import.',
} as const;

export const NoteId = z.enum(Object.keys(NOTES) as [keyof typeof NOTES]);
export type NoteId = keyof typeof NOTES;
