/** Sends the progress and output of a call to the calling kernel, line by line, while it is connected. */
import type { OutgoingHttpHeaders } from 'node:http';
import { disconnectSignal } from '@chat-kernel/http';
import type { ToolOutput } from '@chat-kernel/kernel';
import type { FastifyReply } from 'fastify';
import type { CallLine } from './call-protocol.ts';

/** The heartbeat interval, so that the connection is not treated as dead. */
const SILENCE_MS = 15_000;

export class LineWriter {
  readonly #reply: FastifyReply;
  /** Aborted when the caller has disconnected. */
  readonly signal: AbortSignal;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    this.signal = disconnectSignal(reply);
    this.signal.addEventListener('abort', () => clearInterval(this.#heartbeat));
  }

  /** Takes over the reply and confirms that the call has begun. A second call does nothing. */
  begin(): void {
    const { raw } = this.#reply;
    if (this.#reply.sent || raw.destroyed) return;
    this.#reply.hijack();
    raw.writeHead(200, {
      ...(this.#reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'application/x-ndjson',
    });
    raw.flushHeaders();
    this.#heartbeat = setInterval(() => raw.write('\n'), SILENCE_MS).unref();
  }

  say(line: CallLine): void {
    this.begin();
    const { raw } = this.#reply;
    // A tool may report progress after its output.
    if (!raw.destroyed && !raw.writableEnded) raw.write(`${JSON.stringify(line)}\n`);
  }

  end({ images, ...output }: ToolOutput): void {
    const shown = images?.map(({ media_type, bytes }) => ({
      media_type,
      data: Buffer.from(bytes).toString('base64'),
    }));
    this.say({ done: { ...output, ...(shown && { images: shown }) } });
    // The caller may read slowly: nothing is written after the end.
    clearInterval(this.#heartbeat);
    this.#reply.raw.end();
  }

  /** Breaks off without an output. */
  breakOff(): void {
    this.#reply.raw.destroy();
  }
}
