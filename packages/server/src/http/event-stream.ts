/** Responses of routes that answer with a stream of events. */
import { Event, HandsEvent, KernelEvent } from '@chat-kernel/protocol';
import type { ContentResponse } from './route.ts';

/** Stream of a turn: `responses: { 200: eventStream }`. */
export const eventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: framed('Event'),
  schema: Event,
  example: { type: 'text_delta', text: 'Hel' },
};

/** Stream of the kernel. */
export const kernelEventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: framed('KernelEvent'),
  schema: KernelEvent,
  example: { type: 'chat_deleted', chat_id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa' },
};

/** Stream of a machine that stands by. */
export const handsEventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: `${framed('HandsEvent')} Here the id says nothing: nobody goes on in this stream.`,
  schema: HandsEvent,
  example: {
    type: 'client_op',
    id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa',
    op_id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa',
    action: 'shell',
    command: 'git status',
    hands: 'laptop',
    client_id: 'c1',
    chat_id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ab',
    turn_id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1ac',
  },
};

/** The document has the schema of an event alone, so the description says how events are framed. */
function framed(schema: string): string {
  return (
    `Server-sent events: each is a line \`data: \` with one ${schema} as JSON, and a line \`id: \` with where to go on, ` +
    'then an empty line. Before the first there is a line `retry: `, and before any one there may be comments.'
  );
}
