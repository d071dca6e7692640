/** Defines the events of a turn's stream: one JSON object each, distinguished by `type` (EV-1). */
import { z } from 'zod';
import { TurnErrorCode } from '../base/error.ts';
import { Id, JsonObject, Timestamp } from '../base/primitives.ts';
import { resolutionShape } from '../base/resolution.ts';
import { Usage } from '../base/usage.ts';
import { PlanTask } from '../history/block.ts';
import { Item } from '../items.ts';
import type { OperationField } from '../tables/operation-fields.ts';
import { StopReason, TurnEnd, WaitingFor } from './turn.ts';

const replayed = z
  .literal(true)
  .optional()
  .describe('Present on replayed events: display them, never execute them.');
const eventSchema = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape, replayed });

export const ProviderWaitReason = z
  .enum(['rate_limit', 'overload', 'connection'])
  .describe(
    'rate_limit: too many requests. overload: the provider is overloaded. connection: it is unreachable, or the connection was lost.',
  )
  .meta({ id: 'ProviderWaitReason' });
export type ProviderWaitReason = z.infer<typeof ProviderWaitReason>;

export const Delta = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }).describe('Append.'),
    z.object({ type: z.literal('progress'), output: z.string() }).describe('Replace.'),
    z.object({ type: z.literal('plan'), tasks: z.array(PlanTask) }).describe('Replace.'),
  ])
  .meta({ id: 'Delta' });
export type Delta = z.infer<typeof Delta>;

const call = z
  .array(z.string())
  .optional()
  .describe('All commands or paths of the call, which the decision covers; only with `whole_calls`.');

/** An operation on a machine; its parameters are additional fields. */
export const ClientOpEvent = z
  .looseObject({
    type: z.literal('client_op'),
    id: z.string(),
    op_id: z.string(),
    action: z.string(),
    decisions: z.array(z.string()).optional(),
    call,
    agent: z.string().optional(),
    client_id: z.string().optional().describe('The client that executes it.'),
    hands: z
      .string()
      .optional()
      .describe('The connected machine that executes it; absent: the client of the turn.'),
    replayed,
  } satisfies Record<Exclude<OperationField, 'reason' | 'outside' | 'sandbox'>, z.ZodType>)
  .describe('The parameters of the action are next to these fields.')
  .meta({ id: 'ClientOpEvent' });

/** An operation that one client decides about and another party executes (CONSENT-1). */
export const ConsentRequestEvent = z
  .looseObject({
    type: z.literal('consent_request'),
    id: z.string(),
    op_id: z.string(),
    action: z.string(),
    decisions: z.array(z.string()),
    call,
    reason: z.string().describe('Why the kernel asks, in one sentence.'),
    outside: z
      .array(z.string())
      .describe('The sources from outside that the turn has read, such as web:example.org.'),
    agent: z.string().optional(),
    hands: z
      .string()
      .nullable()
      .optional()
      .describe('The connected machine that executes it. Null: the kernel or one of its modules.'),
    sandbox: z
      .enum(['bwrap', 'sandbox-exec', 'none'])
      .optional()
      .describe(
        'The sandbox that limits it to the working directory. none: no sandbox. Absent: not known, or the operation needs none.',
      ),
    replayed,
  } satisfies Record<Exclude<OperationField, 'client_id'>, z.ZodType>)
  .describe(
    'Decide only, and execute nothing: any client of the owner answers with a decision. The parameters of the action are next to these fields.',
  )
  .meta({ id: 'ConsentRequestEvent' });

export const Event = z
  .discriminatedUnion('type', [
    eventSchema('text_delta', {
      text: z.string(),
      refusal: z.literal(true).optional().describe('The provider marked this text as a refusal.'),
    }).meta({ id: 'TextDeltaEvent' }),
    eventSchema('thinking_delta', { text: z.string() }).meta({ id: 'ThinkingDeltaEvent' }),
    eventSchema('tool_call', { id: z.string(), name: z.string(), input: JsonObject }).meta({
      id: 'ToolCallEvent',
    }),
    eventSchema('tool_result', {
      id: z.string(),
      name: z.string(),
      output: z.string(),
      is_error: z.boolean(),
    }).meta({ id: 'ToolResultEvent' }),
    eventSchema('tool_progress', { id: z.string(), output: z.string() }).meta({ id: 'ToolProgressEvent' }),
    ClientOpEvent,
    ConsentRequestEvent,
    eventSchema('extra_tool_call', {
      id: z.string(),
      name: z.string(),
      input: JsonObject,
      client_id: z.string().optional(),
    }).meta({ id: 'ExtraToolCallEvent' }),
    eventSchema('request_resolved', resolutionShape).meta({ id: 'RequestResolvedEvent' }),
    eventSchema('usage', { model: z.string(), ...Usage.shape }).meta({ id: 'UsageEvent' }),
    eventSchema('agent_usage', {
      model: z.string(),
      ...Usage.shape,
      agent: z.string().describe('The sub-agent that made the request.'),
    })
      .describe("One provider request of a sub-agent, whose context window is not the turn's.")
      .meta({ id: 'AgentUsageEvent' }),
    eventSchema('turn', { turn_id: Id, waiting_for: WaitingFor })
      .describe(
        'The turn runs. Opens the stream of a turn that is neither queued nor asleep, and follows `queued` or `sleeping` once such a turn begins.',
      )
      .meta({ id: 'TurnEvent' }),
    eventSchema('provider_wait', {
      until: Timestamp.describe('The time of the next attempt.'),
      attempt: z.int().describe('The number of this retry, from 1 to `of`.'),
      of: z.int().describe('The maximum number of retries of one request.'),
      reason: ProviderWaitReason,
    })
      .describe('The kernel waits before it retries a provider request.')
      .meta({ id: 'ProviderWaitEvent' }),
    eventSchema('compacting', {}).meta({ id: 'CompactingEvent' }),
    eventSchema('turn_squeezed', { freed_chars: z.int() }).meta({ id: 'TurnSqueezedEvent' }),
    eventSchema('queued', { position: z.int().describe('The number of turns ahead.') }).meta({
      id: 'QueuedEvent',
    }),
    eventSchema('sleeping', {
      since: Timestamp,
      until: Timestamp.nullable(),
      reason: z.string().nullable(),
    }).meta({ id: 'SleepingEvent' }),
    eventSchema('image', { id: Id, media_type: z.string(), url: z.string() }).meta({ id: 'ImageEvent' }),
    eventSchema('plan', { tasks: z.array(PlanTask) }).meta({ id: 'PlanEvent' }),
    eventSchema('done', {
      turn_id: Id,
      status: TurnEnd,
      stop_reason: StopReason,
      message_ids: z.array(Id),
      usage: Usage,
    }).meta({ id: 'DoneEvent' }),
    eventSchema('error', {
      turn_id: Id,
      code: TurnErrorCode,
      message: z.string(),
      retryable: z.boolean(),
    }).meta({ id: 'ErrorEvent' }),
    eventSchema('reset', {})
      .describe('With `follow=true`: missed turns are no longer available; read the items again.')
      .meta({ id: 'FollowResetEvent' }),
    eventSchema('item_started', { item: Item }).meta({ id: 'ItemStartedEvent' }),
    eventSchema('item_delta', { item_id: z.string(), delta: Delta }).meta({ id: 'ItemDeltaEvent' }),
    eventSchema('item_completed', { item: Item }).meta({ id: 'ItemCompletedEvent' }),
  ])
  .meta({ id: 'Event', description: 'One event of a stream.' });
export type Event = z.infer<typeof Event>;
export type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

export const EVENT_TYPES = Event.options.map(option => option.shape.type.value);
export const EventType = z.enum(EVENT_TYPES as [Event['type']]).meta({ id: 'EventType' });
export type EventType = Event['type'];
