/** Defines the API schemas of the history of decisions. */
import { z } from 'zod';
import { ClientId, Id, Timestamp } from '../base/primitives.ts';

/** The number of decisions that are kept. */
export const MAX_DECISIONS = 1000;

export const PastDecision = z
  .object({
    id: Id,
    decided_at: Timestamp,
    decision: z.string().describe('One of the decisions that the request offered.'),
    prefix: z.string().optional().describe('With allow_prefix: the words that the owner selected.'),
    error: z.string().optional().describe('With deny: what the owner told the model.'),
    client: z
      .string()
      .nullable()
      .describe('The client in which it was made. Null: that client gave no name.'),
    chat_id: Id.nullable().describe('Null: outside of chats.'),
    turn_id: Id.nullable(),
    action: z.string(),
    subject: z
      .string()
      .describe('The command, the path or the parameters, without the content of files; cut if long.'),
    call: z.array(z.string()).optional().describe('All commands or paths that the decision covered.'),
    workdir: z.string().optional(),
    hands: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The machine of the operation. Null: the kernel or a module. Absent: the client of the turn.',
      ),
    client_id: ClientId.optional().describe('The client that executes it.'),
    agent: z.string().optional().describe('The asking sub-agent.'),
    reason: z.string().optional().describe('Why the kernel asked.'),
    outside: z.array(z.string()).optional().describe('The outside sources that the dialog showed.'),
  })
  .meta({ id: 'PastDecision' });
export type PastDecision = z.infer<typeof PastDecision>;

export const DecisionPage = z
  .object({
    decisions: z.array(PastDecision).describe('Newest first.'),
    next_before: Id.nullable().describe('The cursor of the next page. Null if this page is empty.'),
  })
  .meta({ id: 'DecisionPage' });
export type DecisionPage = z.infer<typeof DecisionPage>;
