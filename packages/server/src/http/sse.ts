/** Writes a feed to a socket as server-sent events, at the speed of the reader. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ContentResponse } from '@chat-kernel/http';
import type { Reader } from '@chat-kernel/kernel';
import { Event, HandsEvent, KernelEvent } from '@chat-kernel/protocol';
import type { FastifyReply } from 'fastify';

/**
 * Response to Last-Event-ID, which is not part of the standard: without it, a client would show events twice, or miss
 * some.
 */
export const RESUMED_HEADER = {
  'X-Resumed':
    '`true`: the stream resumes after the event named in Last-Event-ID. `false`: it starts from the beginning. Absent without Last-Event-ID.',
};

const HEARTBEAT_MS = 15_000;
/** Heartbeats after which a peer that reads nothing is disconnected; if it is alive, it reconnects and resumes. */
const STALLED_HEARTBEATS = 20;
/** Delay before a browser reconnects. */
const RETRY_MS = 1000;

/**
 * Takes over the reply. The stream ends with its reader, or when the peer disconnects; the turn continues either way.
 */
export function stream(
  reply: FastifyReply,
  reader: Reader,
  headers: Record<string, string> = {},
): FastifyReply {
  reply.hijack();
  reply.header('content-type', 'text/event-stream');
  const { raw } = reply;
  // A peer that has already disconnected fires no second `close`.
  if (raw.destroyed) {
    reader.stop();
    return reply;
  }
  let draining = false;
  let stalled = 0;
  const heartbeat = setInterval(() => {
    // After the end nothing may be written: only the peer's reading remains. All other writes are complete frames, so
    // the comment is at the beginning of the next one; an empty line would turn it into an empty message.
    if (!draining && !raw.writableEnded) draining = !raw.write(': heartbeat\n');
    else if (++stalled >= STALLED_HEARTBEATS) raw.destroy();
  }, HEARTBEAT_MS).unref();
  raw.on('close', () => {
    clearInterval(heartbeat);
    reader.stop();
  });
  raw.on('drain', () => {
    draining = false;
    stalled = 0;
    pump();
  });
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...headers,
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  // The status is sent before the model responds: a 200 means that the message is stored. No empty line follows, so
  // this line is part of the first event: some clients treat a separate frame as an empty message.
  raw.write(`retry: ${RETRY_MS}\n`);
  pump();
  return reply;

  function pump(): void {
    while (!raw.destroyed && !draining) {
      const piece = reader.take();
      if (piece !== '') {
        draining = !raw.write(piece);
      } else {
        if (reader.ended) raw.end();
        else reader.wait(pump);
        return;
      }
    }
  }
}

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
