/** Defines a turn: one run of a model, started by a message. */
import { z } from 'zod';
import { TurnEffort } from '../base/effort.ts';
import { TurnErrorCode } from '../base/error.ts';
import { Anchor, Id, Timestamp } from '../base/primitives.ts';
import { Usage } from '../base/usage.ts';

/** The status of a finished turn. */
export const TurnEnd = z.enum(['completed', 'failed', 'cancelled']);
export type TurnEnd = z.infer<typeof TurnEnd>;
/** The reason why a turn ended. */
export const StopReason = z
  .enum([
    'stop',
    'tools',
    'length',
    'content_filter',
    'other',
    'ends_turn',
    'cancelled',
    'error',
    'kernel_restarted',
  ])
  .meta({ id: 'StopReason' });
export type StopReason = z.infer<typeof StopReason>;

export const TurnStatus = z
  .enum(['queued', 'sleeping', 'running', ...TurnEnd.options])
  .meta({ id: 'TurnStatus' });
export type TurnStatus = z.infer<typeof TurnStatus>;

export const WaitingFor = z
  .enum(['provider', 'request', 'queue', 'sleep'])
  .nullable()
  .describe(
    'What the turn waits for. provider: the next attempt of a provider request. request: an answer to a request in GET /v1/requests. queue: the turns ahead of it. sleep: the end of its own sleep or of the sleep of the kernel. Null: none of these.',
  )
  .meta({ id: 'WaitingFor' });
export type WaitingFor = z.infer<typeof WaitingFor>;

export const TurnError = z
  .object({
    code: TurnErrorCode,
    message: z.string(),
    retryable: z.boolean(),
    provider_status: z.int().optional().describe('The HTTP status of the rejection by the provider.'),
    retry_after_secs: z.number().optional().describe('The wait time requested by the provider.'),
  })
  .meta({ id: 'TurnError' });
export type TurnError = z.infer<typeof TurnError>;

export const Turn = z
  .object({
    id: Id,
    chat_id: Id,
    status: TurnStatus,
    waiting_for: WaitingFor,
    model: z.string().nullable().describe('Null until the turn runs, and if no model was found.'),
    effort: TurnEffort,
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    usage: Usage,
    outside: z
      .array(z.string())
      .describe(
        'The sources of text in the context of the turn that the owner did not write, such as `web:example.org`, `mcp:github` or `message:Ann`.',
      ),
    anchor: Anchor.optional().describe('The surface message that the turn is bound to.'),
    error: TurnError.optional(),
  })
  .meta({ id: 'Turn' });
export type Turn = z.infer<typeof Turn>;

const DroppedTurn = z.object({
  turn_id: Id,
  message_id: Id,
  text: z.string().describe('The text of the message, which was removed from the chat.'),
});
export type DroppedTurn = z.infer<typeof DroppedTurn>;

export const CancelResult = z
  .object({
    cancelled: z.boolean(),
    turn_id: Id.nullable().describe('The turn that was running, else the first dropped turn.'),
    dropped: z
      .array(DroppedTurn)
      .optional()
      .describe('With queued=true: the canceled queued turns, in order.'),
  })
  .meta({ id: 'CancelResult' });
export type CancelResult = z.infer<typeof CancelResult>;

/** The status of a run of a schedule. */
export const RunStatus = z
  .enum(['running', 'completed', 'failed', 'cancelled', 'missed'])
  .meta({ id: 'RunStatus', description: 'running: its turn has not ended and may still be queued.' });
export type RunStatus = z.infer<typeof RunStatus>;
