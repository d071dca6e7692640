/** Defines lasting permissions for operations on a machine, a client's or the kernel's (OP-14, HANDS-6). */
import { z } from 'zod';
import { ClientId, Id, Timestamp, WorkdirOn } from '../base/primitives.ts';
import { DECISIONS, isLasting } from '../tables/decisions.ts';

export const Approval = z
  .object({
    id: Id,
    chat_id: Id,
    action: z.string().describe('Operations with this action in this chat run without asking.'),
    command: z.string().optional().describe('For the action shell: exactly this command.'),
    prefix: z
      .string()
      .optional()
      .describe('For allow_prefix: single plain commands that start with these words.'),
    target: z.string().optional().describe('Applies only to this host, directory, file or server.'),
    outside: z
      .array(z.string())
      .optional()
      .describe('The outside sources that the dialog showed; applies only while a turn has read no others.'),
    workdir: z.string().nullable().describe('Applies only while this is the working directory of the chat.'),
    workdir_on: WorkdirOn,
    client_id: ClientId.optional().describe('Applies only to operations that this client executes.'),
    hands: z.string().optional().describe('Applies only on the connected machine with this name.'),
    decision: z
      .enum(DECISIONS.filter(isLasting))
      .describe(
        'allow_session ends with the process of the kernel. allow_edits: only files below `workdir`, except files of git and the shell.',
      ),
    created_at: Timestamp,
  })
  .meta({ id: 'Approval' });
export type Approval = z.infer<typeof Approval>;

export const ApprovalList = z
  .object({ approvals: z.array(Approval).describe('Oldest first.') })
  .meta({ id: 'ApprovalList' });
export type ApprovalList = z.infer<typeof ApprovalList>;

export const RevokedApprovals = z
  .object({ revoked: z.int().describe('The number of revoked approvals.') })
  .meta({ id: 'RevokedApprovals' });
export type RevokedApprovals = z.infer<typeof RevokedApprovals>;
