/** Writes a feed to a socket as server-sent events, as fast as the other side reads and no faster. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Reader } from '@chat-kernel/kernel';
import type { FastifyReply } from 'fastify';

/** Answers Last-Event-ID (ours): a client that has to guess would draw things twice, or lose some. */
export const RESUMED_HEADER = {
  'X-Resumed':
    '`true`: the stream goes on right behind the event that Last-Event-ID names; `false`: it tells from the beginning. Absent where none was named.',
};

const HEARTBEAT_MS = 15_000;
/** A peer that took nothing for this long is gone, or may come back and resume. */
const STALLED_HEARTBEATS = 20;
/** How long a browser waits before it reconnects. */
const RETRY_MS = 1000;

/** Takes the answer over. Ends when the reader does, or when the peer hangs up; the turn does not care. */
export function stream(
  reply: FastifyReply,
  reader: Reader,
  headers: Record<string, string> = {},
): FastifyReply {
  reply.hijack();
  reply.header('content-type', 'text/event-stream');
  const { raw } = reply;
  // Who hung up before there was anything to hear has said so already, and does not say it again.
  if (raw.destroyed) {
    reader.stop();
    return reply;
  }
  let draining = false;
  let stalled = 0;
  const heartbeat = setInterval(() => {
    // After the end only the peer's reading is waited for.
    if (!draining && !raw.writableEnded) draining = !raw.write(': heartbeat\n\n');
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
  // The status is on its way before the model says anything: a 200 means that the message is stored.
  raw.write(`retry: ${RETRY_MS}\n\n`);
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
