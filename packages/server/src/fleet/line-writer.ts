/** Tells the kernel that has called what its call does, line by line, for as long as it listens. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { ToolOutput } from '@chat-kernel/kernel';
import type { FastifyReply } from 'fastify';
import type { CallLine } from './call-lines.ts';

/** A silence of this length is broken, so that no connection is taken for a dead one. */
const SILENCE_MS = 15_000;

export class LineWriter {
  readonly #reply: FastifyReply;
  readonly #hungUp = new AbortController();
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    const gone = () => {
      clearInterval(this.#heartbeat);
      this.#hungUp.abort(new Error('the kernel that called waits no more'));
    };
    // A peer that hung up already fires no second `close`.
    if (reply.raw.destroyed) gone();
    else reply.raw.once('close', gone);
  }

  /** Aborted when nobody listens any more. */
  get signal(): AbortSignal {
    return this.#hungUp.signal;
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
    if (!this.#reply.raw.destroyed) this.#reply.raw.write(`${JSON.stringify(line)}\n`);
  }

  end({ images, ...output }: ToolOutput): void {
    const shown = images?.map(({ media_type, bytes }) => ({
      media_type,
      data: Buffer.from(bytes).toString('base64'),
    }));
    this.say({ done: { ...output, ...(shown && { images: shown }) } });
    this.#reply.raw.end();
  }

  /** Breaks off: there will be no output. */
  breakOff(): void {
    this.#reply.raw.destroy();
  }
}
