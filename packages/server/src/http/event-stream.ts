/** Defines the responses of routes that answer with an event stream. */

import type { ContentResponse } from '@chat-kernel/http';
import { Event, HandsEvent, KernelEvent } from '@chat-kernel/protocol';

/** Stream of a turn: `responses: { 200: eventStream }`. */
export const eventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: framed('Event'),
  schema: Event,
  example: { type: 'text_delta', text: 'Hel' },
};

export const kernelEventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: framed('KernelEvent'),
  schema: KernelEvent,
  example: { type: 'chat_deleted', chat_id: '0199d5a2-0f3c-7c51-9b1e-6f0c4ad0f1aa' },
};

/** Stream of a stand-by machine. */
export const handsEventStream: ContentResponse = {
  contentType: 'text/event-stream',
  description: `${framed('HandsEvent')} The id has no meaning here: this stream cannot be resumed.`,
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

/** The document has only the schema of an event, so the description explains the framing. */
function framed(schema: string): string {
  return (
    `Server-sent events. Each has a line \`data: \` with one ${schema} as JSON, and a line \`id: \` for resuming, ` +
    'followed by an empty line. A line `retry: ` precedes the first event, and comments may precede any event.'
  );
}
