/** Writes a feed to a socket as server-sent events, as fast as the other side reads and no faster. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Reader } from '@chat-kernel/kernel';
import type { FastifyReply } from 'fastify';

/**
 * Reply to Last-Event-ID, which is not part of the standard: a client that has to guess would show events twice, or
 * lose some.
 */
export const RESUMED_HEADER = {
  'X-Resumed':
    '`true`: the stream goes on right behind the event that Last-Event-ID names; `false`: it tells from the beginning. Absent where none was named.',
};

const HEARTBEAT_MS = 15_000;
/** Heartbeats after which a peer that reads nothing is cut off; if it still lives, it comes back and resumes. */
const STALLED_HEARTBEATS = 20;
/** Pause of a browser before it reconnects. */
const RETRY_MS = 1000;

/** Takes the reply over. The stream ends with its reader, or when the peer hangs up; the turn goes on either way. */
export function stream(
  reply: FastifyReply,
  reader: Reader,
  headers: Record<string, string> = {},
): FastifyReply {
  reply.hijack();
  reply.header('content-type', 'text/event-stream');
  const { raw } = reply;
  // A peer that hung up already fires no second `close`.
  if (raw.destroyed) {
    reader.stop();
    return reply;
  }
  let draining = false;
  let stalled = 0;
  const heartbeat = setInterval(() => {
    // After the end nothing may be written: only the peer's reading is waited for. What is written otherwise are whole
    // frames, so the comment stands at the head of the next one; an empty line would make it an empty message.
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
  // The status is on its way before the model says anything: a 200 means that the message is stored. The line has no
  // empty line behind it, so it is part of the first event: a frame of its own is an empty message to some clients.
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
