/** A turn: one model run that a message started. */
import { z } from 'zod';
import { Anchor } from '../base/anchor.ts';
import { TurnEffort } from '../base/effort.ts';
import { TurnErrorCode } from '../base/error.ts';
import { Id, Timestamp } from '../base/primitives.ts';
import { Usage } from '../base/usage.ts';

export const TurnStatus = z
  .enum(['queued', 'sleeping', 'running', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'TurnStatus' });
export type TurnStatus = z.infer<typeof TurnStatus>;
/** How a turn can end. */
export type TurnEnd = 'completed' | 'failed' | 'cancelled';

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

export const CancelResult = z
  .object({ cancelled: z.boolean(), turn_id: Id.nullable() })
  .meta({ id: 'CancelResult' });
export type CancelResult = z.infer<typeof CancelResult>;
