/** The events of the kernel's stream: what happens in all chats, for clients that show a list of chats. */
import { z } from 'zod';
import { Id, Timestamp } from '../base/primitives.ts';
import { resolutionShape } from '../base/resolution.ts';
import { PendingRequest } from '../turns/request.ts';
import { RunStatus } from '../turns/schedule.ts';
import { TurnEnd } from '../turns/turn.ts';
import { Chat } from './chat.ts';

const eventOf = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });
const ofTurn = { chat_id: Id, turn_id: Id };

/** The list of event types of this stream. */
export const KernelEvent = z
  .discriminatedUnion('type', [
    eventOf('opened', {})
      .describe(
        'The first event of a stream that did not name a Last-Event-ID: what happens from now on is told.',
      )
      .meta({ id: 'OpenedEvent' }),
    eventOf('reset', {})
      .describe('Events were missed: read again what is shown. What follows is whole.')
      .meta({ id: 'ResetEvent' }),
    eventOf('chat_created', { chat: Chat }).meta({ id: 'ChatCreatedEvent' }),
    eventOf('chat_updated', { chat: Chat })
      .describe(
        'A turn that begins or ends is told by its own events, though it moves the times of its chat.',
      )
      .meta({ id: 'ChatUpdatedEvent' }),
    eventOf('chat_deleted', { chat_id: Id }).meta({ id: 'ChatDeletedEvent' }),
    eventOf('turn_started', ofTurn).describe('It runs now.').meta({ id: 'TurnStartedEvent' }),
    eventOf('turn_ended', { ...ofTurn, status: TurnEnd }).meta({
      id: 'TurnEndedEvent',
    }),
    eventOf('sleep_changed', {
      asleep: z.boolean(),
      since: Timestamp.nullable().describe('Null while awake.'),
      until: Timestamp.nullable().describe('Null: until it is woken.'),
      reason: z.string().nullable(),
    }).meta({ id: 'SleepChangedEvent' }),
    eventOf('video_changed', { what: z.enum(['history', 'subscriptions']) })
      .describe('Of the video shelf: read it again.')
      .meta({ id: 'VideoChangedEvent' }),
    eventOf('books_changed', { shelf: z.string() })
      .describe('Of the books of this shelf: read them again.')
      .meta({ id: 'BooksChangedEvent' }),
    eventOf('memory_changed', {})
      .describe('What is remembered across chats: read it again.')
      .meta({ id: 'MemoryChangedEvent' }),
    eventOf('schedule_changed', { schedule_id: Id })
      .describe('It was made, changed or deleted, or a run of it began: read it again.')
      .meta({ id: 'ScheduleChangedEvent' }),
    eventOf('schedule_ended', {
      schedule_id: Id,
      due_at: Timestamp,
      status: RunStatus.exclude(['running']),
      chat_id: Id.nullable(),
      turn_id: Id.nullable(),
    })
      .describe('A run is over. Of times that were missed in a row only the last one is told here.')
      .meta({ id: 'ScheduleEndedEvent' }),
    eventOf('request_opened', { request: PendingRequest })
      .describe('Of write_bytes without its data: that goes to the stream of the turn alone.')
      .meta({ id: 'RequestOpenedEvent' }),
    eventOf('request_resolved', { ...ofTurn, ...resolutionShape }).meta({ id: 'OpenRequestResolvedEvent' }),
  ])
  .meta({ id: 'KernelEvent', description: 'One event of the stream of the kernel.' });
export type KernelEvent = z.infer<typeof KernelEvent>;
export type KernelEventOf<Type extends KernelEvent['type']> = Extract<KernelEvent, { type: Type }>;
