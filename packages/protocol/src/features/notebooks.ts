/** Defines the notebook of a chat: one Markdown text that the model keeps and the owner may change. */
import { z } from 'zod';
import { Timestamp } from '../base/primitives.ts';

/** Longest notebook, in characters. */
export const MAX_NOTEBOOK = 100_000;

export const Notebook = z
  .object({
    text: z.string(),
    updated_at: Timestamp.nullable().describe('Null: the notebook was never written.'),
  })
  .meta({ id: 'Notebook' });
export type Notebook = z.infer<typeof Notebook>;

export const SetNotebook = z
  .object({ text: z.string().max(MAX_NOTEBOOK).describe('The whole notebook. An empty text clears it.') })
  .meta({ id: 'SetNotebook' });
export type SetNotebook = z.infer<typeof SetNotebook>;
