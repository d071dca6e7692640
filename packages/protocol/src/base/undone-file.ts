/** What an undo of edits does to one file (UNDO-2). */
import { z } from 'zod';

/** As the machine that has the file says it. */
export const undoneFileShape = {
  path: z.string().describe('The real path, where it is known.'),
  action: z
    .enum(['restore', 'delete', 'unchanged', 'not_kept'])
    .describe(
      'delete: the edits have made it. unchanged: it is as it was before them. not_kept: nothing is kept of it, and it stays as it is.',
    ),
  changed_since: z
    .boolean()
    .describe('Somebody, or a command, has changed it since the last of the edits: nothing is restored.'),
  error: z.string().optional().describe('Why it cannot be put back, or is not kept.'),
  restored: z
    .boolean()
    .optional()
    .describe('Of a restore that came to no end: whether the file was put back before that.'),
};

export const UndoneFile = z
  .object({
    ...undoneFileShape,
    machine: z
      .enum(['client', 'server'])
      .describe('Where the file is; server: on the machine of the kernel.'),
    hands: z.string().optional().describe('The name of the machine, where it stands by.'),
  })
  .meta({ id: 'UndoneFile' });
export type UndoneFile = z.infer<typeof UndoneFile>;
