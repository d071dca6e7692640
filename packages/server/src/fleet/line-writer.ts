/** Tells the kernel that has called what its call does, line by line, for as long as it listens. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ToolOutput } from '@chat-kernel/kernel';
import type { FastifyReply } from 'fastify';
import { hangUpSignal } from '../http/hang-up.ts';
import type { CallLine } from './call-lines.ts';

/** A silence of this length is broken, so that no connection is taken for a dead one. */
const SILENCE_MS = 15_000;

export class LineWriter {
  readonly #reply: FastifyReply;
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    this.signal = hangUpSignal(reply);
    this.signal.addEventListener('abort', () => clearInterval(this.#heartbeat));
  }

  /** Takes the reply over, and says that the call has begun. A second call does nothing. */
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
    // A tool may tell of its progress behind its output.
    if (!raw.destroyed && !raw.writableEnded) raw.write(`${JSON.stringify(line)}\n`);
  }

  end({ images, ...output }: ToolOutput): void {
    const shown = images?.map(({ media_type, bytes }) => ({
      media_type,
      data: Buffer.from(bytes).toString('base64'),
    }));
    this.say({ done: { ...output, ...(shown && { images: shown }) } });
    // Its reader may take its time: nothing is written behind the end.
    clearInterval(this.#heartbeat);
    this.#reply.raw.end();
  }

  /** Breaks off: there will be no output. */
  breakOff(): void {
    this.#reply.raw.destroy();
  }
}
