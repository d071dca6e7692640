/** Defines the events of the kernel's stream: changes in all chats, for clients that show a list of chats. */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';
import { resolutionShape } from '../base/resolution.ts';
import { PendingRequest } from '../turns/request.ts';
import { RunStatus, TurnEnd } from '../turns/turn.ts';
import { Chat } from './chat.ts';

const eventSchema = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });
const ofTurn = { chat_id: Id, turn_id: Id };

/** The list of event types of this stream. */
export const KernelEvent = z
  .discriminatedUnion('type', [
    eventSchema('opened', {})
      .describe('The first event of a stream without Last-Event-ID. New events follow.')
      .meta({ id: 'OpenedEvent' }),
    eventSchema('reset', {})
      .describe('Events were missed. Read the displayed data again. The events after this one are complete.')
      .meta({ id: 'ResetEvent' }),
    eventSchema('chat_created', { chat: Chat }).meta({ id: 'ChatCreatedEvent' }),
    eventSchema('chat_updated', { chat: Chat })
      .describe(
        'The start and end of a turn have their own events, although they change the times of the chat.',
      )
      .meta({ id: 'ChatUpdatedEvent' }),
    eventSchema('chat_deleted', { chat_id: Id }).meta({ id: 'ChatDeletedEvent' }),
    eventSchema('history_changed', { chat_id: Id, from_message_id: Id })
      .describe(
        'A retry, another version, a rewind or a compaction changed the history. Read it again from this message on; it may have left the chat.',
      )
      .meta({ id: 'HistoryChangedEvent' }),
    eventSchema('turn_started', ofTurn).describe('The turn is now running.').meta({ id: 'TurnStartedEvent' }),
    eventSchema('turn_ended', { ...ofTurn, status: TurnEnd }).meta({
      id: 'TurnEndedEvent',
    }),
    eventSchema('sleep_changed', {
      asleep: z.boolean(),
      since: Timestamp.nullable().describe('Null while awake.'),
      until: Timestamp.nullable().describe('Null: until woken.'),
      reason: z.string().nullable(),
    }).meta({ id: 'SleepChangedEvent' }),
    eventSchema('video_changed', { what: z.enum(['history', 'subscriptions']) })
      .describe('The video library has changed. Read it again.')
      .meta({ id: 'VideoChangedEvent' }),
    eventSchema('books_changed', { shelf: z.string() })
      .describe('The books of this shelf have changed. Read them again.')
      .meta({ id: 'BooksChangedEvent' }),
    eventSchema('memory_changed', {})
      .describe('The memory has changed. Read it again.')
      .meta({ id: 'MemoryChangedEvent' }),
    eventSchema('schedule_changed', { schedule_id: Id })
      .describe('The schedule was created, changed or deleted, or a run started. Read it again.')
      .meta({ id: 'ScheduleChangedEvent' }),
    eventSchema('schedule_ended', {
      schedule_id: Id,
      due_at: Timestamp,
      status: RunStatus.exclude(['running']),
      chat_id: Id.nullable(),
      turn_id: Id.nullable(),
    })
      .describe('A run has ended. For consecutive missed times, only the last one is sent.')
      .meta({ id: 'ScheduleEndedEvent' }),
    eventSchema('request_opened', { request: PendingRequest })
      .describe('For write_bytes, the data is left out; only the stream of the turn contains it.')
      .meta({ id: 'RequestOpenedEvent' }),
    eventSchema('request_resolved', { ...ofTurn, ...resolutionShape }).meta({
      id: 'OpenRequestResolvedEvent',
    }),
  ])
  .meta({ id: 'KernelEvent', description: 'One event of the stream of the kernel.' });
export type KernelEvent = z.infer<typeof KernelEvent>;
export type KernelEventOf<Type extends KernelEvent['type']> = Extract<KernelEvent, { type: Type }>;
