/** Defines the effect of undoing edits on one file (UNDO-2). */
import { z } from 'zod';

/** As reported by the machine that has the file. */
export const undoneFileShape = {
  path: z.string().describe('The real path, if it is known.'),
  action: z
    .enum(['restore', 'delete', 'unchanged', 'not_kept'])
    .describe(
      'delete: the edits created the file. unchanged: it has its state from before the edits. not_kept: no earlier state is stored, and the file stays as it is.',
    ),
  changed_since: z
    .boolean()
    .describe('The file was changed after the last of the edits, so nothing is restored.'),
  error: z.string().optional().describe('The reason why it cannot be restored or is not stored.'),
  restored: z.boolean().optional().describe('For an incomplete restore: whether this file was restored.'),
};

export const UndoneFile = z
  .object({
    ...undoneFileShape,
    machine: z
      .enum(['client', 'server'])
      .describe('The machine with the file. server: the machine of the kernel.'),
    hands: z.string().optional().describe('The name of the connected machine.'),
  })
  .meta({ id: 'UndoneFile' });
export type UndoneFile = z.infer<typeof UndoneFile>;
