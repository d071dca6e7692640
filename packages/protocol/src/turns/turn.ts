/** A turn: one run of a model, started by a message. */
import { z } from 'zod';
import { Anchor } from '../base/anchor.ts';
import { TurnEffort } from '../base/effort.ts';
import { TurnErrorCode } from '../base/error.ts';
import { Id, Timestamp } from '../base/primitives.ts';
import { Usage } from '../base/usage.ts';

/** The status of a turn that is over. */
export const TurnEnd = z.enum(['completed', 'failed', 'cancelled']);
export type TurnEnd = z.infer<typeof TurnEnd>;
export const TurnStatus = z
  .enum(['queued', 'sleeping', 'running', ...TurnEnd.options])
  .meta({ id: 'TurnStatus' });
export type TurnStatus = z.infer<typeof TurnStatus>;

export const TurnError = z
  .object({ code: TurnErrorCode, message: z.string(), retryable: z.boolean() })
  .meta({ id: 'TurnError' });
export type TurnError = z.infer<typeof TurnError>;

export const Turn = z
  .object({
    id: Id,
    chat_id: Id,
    status: TurnStatus,
    model: z.string().nullable().describe('Null until the turn runs, and where no model could be found.'),
    effort: TurnEffort,
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    usage: Usage,
    anchor: Anchor.optional().describe('The message of a surface that it is bound to.'),
    error: TurnError.optional(),
  })
  .meta({ id: 'Turn' });
export type Turn = z.infer<typeof Turn>;

const DroppedTurn = z.object({
  turn_id: Id,
  message_id: Id,
  text: z.string().describe('The text of the message, which is gone from the chat.'),
});
export type DroppedTurn = z.infer<typeof DroppedTurn>;

export const CancelResult = z
  .object({
    cancelled: z.boolean(),
    turn_id: Id.nullable().describe('The turn that ran, else the first that was dropped.'),
    dropped: z
      .array(DroppedTurn)
      .optional()
      .describe('With queued=true: the turns that will never begin, in their order.'),
  })
  .meta({ id: 'CancelResult' });
export type CancelResult = z.infer<typeof CancelResult>;
