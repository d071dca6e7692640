/** Lasting permissions for operations on a machine, a client's or the kernel's (OP-14, HANDS-6). */
import { z } from 'zod';
import { ClientId, Id, Timestamp, WorkdirOn } from '../base/primitives.ts';

/** The decisions of an owner about an operation. Clients skip decisions that they do not know (OP-4). */
export const DECISIONS = ['allow', 'allow_session', 'allow_always', 'deny'] as const;

/** The decisions that cover later operations, too (OP-14, HANDS-7). */
export const LASTING = ['allow_session', 'allow_always', 'allow_prefix', 'allow_edits'] as const;
export type Lasting = (typeof LASTING)[number];

export const Approval = z
  .object({
    id: Id,
    chat_id: Id,
    action: z.string().describe('Operations of this action in this chat ask nobody.'),
    command: z.string().optional().describe('Of the action shell: exactly this one.'),
    prefix: z
      .string()
      .optional()
      .describe('Of allow_prefix: commands that begin with these words, and are one plain command.'),
    workdir: z.string().nullable().describe('Only while this is the working directory of the chat.'),
    workdir_on: WorkdirOn,
    client_id: ClientId.optional().describe('Only operations that this client is to execute.'),
    hands: z.string().optional().describe('Only on the machine that stands by under this name.'),
    decision: z
      .enum(LASTING)
      .describe(
        'allow_session ends with the process of the kernel. allow_edits: only files below `workdir`, none of git or of the shell.',
      ),
    created_at: Timestamp,
  })
  .meta({ id: 'Approval' });
export type Approval = z.infer<typeof Approval>;

export const ApprovalList = z
  .object({ approvals: z.array(Approval).describe('The oldest first.') })
  .meta({ id: 'ApprovalList' });
export type ApprovalList = z.infer<typeof ApprovalList>;

export const RevokedApprovals = z
  .object({ revoked: z.int().describe('How many.') })
  .meta({ id: 'RevokedApprovals' });
export type RevokedApprovals = z.infer<typeof RevokedApprovals>;
