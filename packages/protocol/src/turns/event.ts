/** The events of a turn's stream: one JSON object each, distinguished by `type` (EV-1). */
import { z } from 'zod';
import { TurnErrorCode } from '../base/error.ts';
import { Id, JsonObject, Timestamp } from '../base/primitives.ts';
import { resolutionShape } from '../base/resolution.ts';
import { Usage } from '../base/usage.ts';
import { PlanTask } from '../history/plan.ts';
import { Item } from '../items/index.ts';
import { TurnEnd } from './turn.ts';

const replayed = z
  .literal(true)
  .optional()
  .describe('Present on events of a replay: draw them, never execute them.');
const eventOf = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape, replayed });

export const Delta = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }).describe('Append.'),
    z.object({ type: z.literal('progress'), output: z.string() }).describe('Replace.'),
    z.object({ type: z.literal('plan'), tasks: z.array(PlanTask) }).describe('Replace.'),
  ])
  .meta({ id: 'Delta' });
export type Delta = z.infer<typeof Delta>;

/** An operation on a machine; its parameters stand beside these fields. */
export const ClientOpEvent = z
  .looseObject({
    type: z.literal('client_op'),
    id: z.string(),
    op_id: z.string(),
    action: z.string(),
    decisions: z.array(z.string()).optional(),
    agent: z.string().optional(),
    client_id: z.string().optional().describe('The client that executes it.'),
    hands: z
      .string()
      .nullable()
      .optional()
      .describe(
        'A machine that stands by, or null: the one of the kernel. It is executed there; any client of the owner answers with a decision alone.',
      ),
    sandbox: z
      .enum(['bwrap', 'none'])
      .optional()
      .describe("Beside `hands: null`: what holds it to the chat's working directory; none: nothing does."),
    replayed,
  })
  .describe('The parameters of the action stand beside these fields.')
  .meta({ id: 'ClientOpEvent' });

/** The list of event types. */
export const Event = z
  .discriminatedUnion('type', [
    eventOf('text_delta', { text: z.string() }).meta({ id: 'TextDeltaEvent' }),
    eventOf('thinking_delta', { text: z.string() }).meta({ id: 'ThinkingDeltaEvent' }),
    eventOf('tool_call', { id: z.string(), name: z.string(), input: JsonObject }).meta({
      id: 'ToolCallEvent',
    }),
    eventOf('tool_result', {
      id: z.string(),
      name: z.string(),
      output: z.string(),
      is_error: z.boolean(),
    }).meta({ id: 'ToolResultEvent' }),
    eventOf('tool_progress', { id: z.string(), output: z.string() }).meta({ id: 'ToolProgressEvent' }),
    ClientOpEvent,
    eventOf('extra_tool_call', {
      id: z.string(),
      name: z.string(),
      input: JsonObject,
      client_id: z.string().optional(),
    }).meta({ id: 'ExtraToolCallEvent' }),
    eventOf('request_resolved', resolutionShape).meta({ id: 'RequestResolvedEvent' }),
    eventOf('usage', {
      model: z.string(),
      ...Usage.shape,
      agent: z.string().optional().describe('The sub-agent that made the trip.'),
    }).meta({ id: 'UsageEvent' }),
    eventOf('compacting', {}).meta({ id: 'CompactingEvent' }),
    eventOf('turn_squeezed', { freed_chars: z.int() }).meta({ id: 'TurnSqueezedEvent' }),
    eventOf('queued', { position: z.int().describe('Turns before this one.') }).meta({ id: 'QueuedEvent' }),
    eventOf('sleeping', {
      since: Timestamp,
      until: Timestamp.nullable(),
      reason: z.string().nullable(),
    }).meta({ id: 'SleepingEvent' }),
    eventOf('image', { id: Id, media_type: z.string(), url: z.string() }).meta({ id: 'ImageEvent' }),
    eventOf('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanEvent' }),
    eventOf('done', {
      turn_id: Id,
      status: TurnEnd,
      stop_reason: z.string(),
      message_ids: z.array(Id),
      usage: Usage,
    }).meta({ id: 'DoneEvent' }),
    eventOf('error', {
      turn_id: Id,
      code: TurnErrorCode,
      message: z.string(),
      retryable: z.boolean(),
    }).meta({ id: 'ErrorEvent' }),
    eventOf('reset', {})
      .describe('Of `follow=true`: turns were missed that are not known any more; read the items again.')
      .meta({ id: 'FollowResetEvent' }),
    eventOf('item_started', { item: Item }).meta({ id: 'ItemStartedEvent' }),
    eventOf('item_delta', { item_id: z.string(), delta: Delta }).meta({ id: 'ItemDeltaEvent' }),
    eventOf('item_completed', { item: Item }).meta({ id: 'ItemCompletedEvent' }),
  ])
  .meta({ id: 'Event', description: 'One event of a stream.' });
export type Event = z.infer<typeof Event>;
export type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

export const EVENT_TYPES = Event.options.map(option => option.shape.type.value);
export const EventType = z.enum(EVENT_TYPES as [Event['type']]).meta({ id: 'EventType' });
export type EventType = Event['type'];
