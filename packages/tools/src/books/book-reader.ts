/**
 * The process that reads a file as a book, as the kernel has it: it is fed, listened to, and ended, by its kernel when
 * it takes too long or too much memory, and by the system when the kernel is gone. Whatever a file does to its parser,
 * it does it there.
 */
import { createHash } from 'node:crypto';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { BookPart } from '@chat-kernel/kernel';
import { sizeForPeople } from '@chat-kernel/protocol';
import { type Confined, memoryOf, startConfined } from './confined.ts';
import { type BookLimits, BookProblem } from './limits.ts';
import { type ReaderFacts, ReaderMessage } from './message.ts';

const PROGRAM = fileURLToPath(new URL('./reader.ts', import.meta.url));
const WATCH_MS = 200;

export interface Progress {
  /** The section that is being read. */
  done: number;
  /** How many there are; null: nobody knows yet. */
  of: number | null;
}

export class BookReader {
  readonly #child: Confined;
  readonly #limits: BookLimits;
  readonly #signal: AbortSignal;
  readonly #messages: AsyncGenerator<ReaderMessage>;
  readonly #giveUp = () => this.stop();
  #lines: Interface | undefined;
  #watch: NodeJS.Timeout | undefined;
  /** Why it was ended. */
  #stopped: BookProblem | undefined;
  #heardAt = 0;
  #notes: string[] = [];

  /** @param name of the file, which says what it is where its content does not */
  constructor(name: string, limits: BookLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#child = startConfined(PROGRAM, [name, JSON.stringify(limits)], limits);
    this.#messages = this.#listen();
    signal.addEventListener('abort', this.#giveUp);
  }

  /**
   * Feeds it the file, and answers what its bytes are. It only keeps them until `facts` lets it read.
   * @throws BookProblem: too large; or what `bytes` throw
   */
  async feed(bytes: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
    const hash = createHash('sha256');
    const { file_bytes } = this.#limits;
    let size = 0;
    async function* counted() {
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > file_bytes) throw tooLarge(file_bytes);
        hash.update(chunk);
        yield chunk;
      }
    }
    await pipeline(Readable.from(counted()), this.#child.stdin, { signal: this.#signal, end: false });
    return { sha256: hash.digest('hex'), size };
  }

  /** What the file is, once it was fed. @throws BookProblem: it is no book */
  async facts(): Promise<ReaderFacts> {
    this.#child.stdin.end();
    const { value } = await this.#messages.next();
    if (value?.type !== 'facts') throw new Error('The reader of books did not begin with the facts.');
    return value;
  }

  /** After the facts. @throws BookProblem */
  async *parts(onProgress: (progress: Progress) => void): AsyncGenerator<BookPart> {
    for await (const message of this.#messages) {
      if (message.type === 'part') yield message.part;
      else if (message.type === 'progress') onProgress(message);
      else if (message.type === 'end') this.#notes = message.notes;
    }
  }

  /** What is worth knowing of the whole, after the last part. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** However it stands. Nothing of it is left: who stops listening in between need not say so. */
  stop(): void {
    clearInterval(this.#watch);
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
    this.#lines?.close();
  }

  /** Ends behind the message `end`; throws where none comes. */
  async *#listen(): AsyncGenerator<ReaderMessage> {
    this.#signal.throwIfAborted();
    this.#beginWatch();
    try {
      this.#lines = createInterface(this.#child.stdout);
      for await (const line of this.#lines) {
        this.#heardAt = performance.now();
        const message = ReaderMessage.parse(JSON.parse(line));
        if (message.type === 'problem') throw new BookProblem(message.sentence);
        yield message;
        if (message.type === 'end') return;
      }
      this.#signal.throwIfAborted();
      throw this.#stopped ?? new BookProblem('could not be read: its content broke the reader');
    } finally {
      this.stop();
    }
  }

  #beginWatch(): void {
    const { silent_secs, total_secs, memory_bytes } = this.#limits;
    const begun = performance.now();
    this.#heardAt = begun;
    this.#watch = setInterval(async () => {
      const now = performance.now();
      if (now - this.#heardAt > silent_secs * 1000) {
        this.#end(`took more than ${silent_secs} seconds for one step: it may be broken`);
      } else if (now - begun > total_secs * 1000) {
        this.#end(`took more than ${total_secs} seconds to read`);
      } else if ((await memoryOf(this.#child)) > memory_bytes) {
        this.#end(`takes more than ${sizeForPeople(memory_bytes)} of memory to read`);
      }
    }, WATCH_MS);
  }

  #end(why: string): void {
    this.#stopped ??= new BookProblem(why);
    this.stop();
  }
}

export const tooLarge = (most: number): BookProblem =>
  new BookProblem(`is too large: a book may have at most ${sizeForPeople(most)}`);
