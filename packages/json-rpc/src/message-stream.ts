/** Sends and receives messages over a pair of byte streams until the connection ends. */
import type { Readable, Writable } from 'node:stream';
import { LineSplitter, LineTooLong } from './lines.ts';
import { type Message, readMessage } from './message.ts';

export interface ByteStreams {
  readable: Readable;
  writable: Writable;
}

export interface StreamEnd {
  /** The rest of a sentence about the peer. */
  reason: string;
  /** The peer ended it, or the connection broke. */
  left: boolean;
}

interface MessageStreamOptions {
  streams: ByteStreams;
  /** Longest accepted line, its end included. */
  maxLineBytes: number;
  /** @param bytes of the line, without its end */
  onMessage(message: Message, bytes: number): void;
  /** A longer line arrived, and the rest cannot be read. The owner should close the stream. */
  onLineTooLong(): void;
  /** Called once, before both byte streams are destroyed. */
  onEnd(end: StreamEnd): void;
}

export class MessageStream {
  readonly #options: MessageStreamOptions;
  readonly #lines: LineSplitter;
  #ended = false;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.#lines = new LineSplitter(options.maxLineBytes);
    const { readable, writable } = options.streams;
    const gone = () => this.#end({ reason: 'the connection ended', left: true });
    for (const stream of new Set([readable, writable])) {
      stream.on('error', error =>
        this.#end({ reason: `the connection broke: ${error.message}`, left: true }),
      );
      stream.on('close', gone);
    }
    readable.on('end', gone);
    readable.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  /** Bytes that the peer has not read yet. */
  get waitingBytes(): number {
    return this.#options.streams.writable.writableLength;
  }

  /** Sends a line. Does nothing after the end of the connection. */
  send(line: string | Buffer): void {
    const { writable } = this.#options.streams;
    if (writable.writable) writable.write(line);
  }

  /** Resolves when all lines have been passed to the operating system. */
  async flush(): Promise<void> {
    const { writable } = this.#options.streams;
    if (writable.writable) await new Promise<unknown>(written => writable.write('', written));
  }

  /** @param reason the rest of a sentence about the peer */
  close(reason: string): void {
    this.#end({ reason, left: false });
  }

  #end(end: StreamEnd): void {
    // Standard streams report their closing each time they are destroyed.
    if (this.#ended) return;
    this.#ended = true;
    const { streams, onEnd } = this.#options;
    onEnd(end);
    streams.readable.destroy();
    streams.writable.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) {
        // The chunk may have more lines after the one that made the owner close the stream.
        if (this.#ended) return;
        this.#options.onMessage(readMessage(line), line.length);
      }
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.#options.onLineTooLong();
    }
  }
}
