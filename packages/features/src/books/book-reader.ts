/**
 * Controls the process that reads a file as a book: feeds it, receives its messages, and ends it when it takes too long
 * or too much memory. The system ends it when the kernel has ended. A hostile file can harm only that process.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { sizeForPeople } from '@chat-kernel/protocol';
import { type ConfinedProcess, readMemoryUsage, startConfined } from './confined.ts';
import { type BookLimits, BookProblem } from './limits.ts';
import { type ReaderFacts, ReaderMessage } from './message.ts';
import type { BookPart } from './records.ts';

const PROGRAM = fileURLToPath(new URL(`reader${extname(import.meta.filename)}`, import.meta.url));
const WATCH_MS = 200;

export interface ReadingProgress {
  /** The section that is being read. */
  done: number;
  /** The number of all sections; null if not yet known. */
  of: number | null;
}

export class BookReader {
  readonly #child: ConfinedProcess;
  readonly #limits: BookLimits;
  readonly #signal: AbortSignal;
  readonly #messages: AsyncGenerator<ReaderMessage>;
  readonly #giveUp = () => this.stop();
  #lines: Interface | undefined;
  #watch: NodeJS.Timeout | undefined;
  /** The reason why the kernel ended the process. */
  #stopped: BookProblem | undefined;
  #heardAt = 0;
  #notes: string[] = [];

  /** @param name the file's name, which decides between formats if the content does not */
  constructor(name: string, limits: BookLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
    this.#child = startConfined(PROGRAM, [name, JSON.stringify(limits)], limits);
    this.#messages = this.#listen();
    signal.addEventListener('abort', this.#giveUp);
  }

  /**
   * Feeds the file to the process, which only keeps it until `facts` starts the reading. Returns hash and size.
   * @throws BookProblem if the file is too large, or an error of `bytes`
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

  /**
   * Starts the reading after the file was fed, and returns the facts of the book. @throws BookProblem if it is not a
   * book
   */
  async facts(): Promise<ReaderFacts> {
    this.#child.stdin.end();
    const { value } = await this.#messages.next();
    if (value?.type !== 'facts') throw new Error('The book reader did not start with the metadata.');
    return value;
  }

  /** Yields the parts, after the facts. @throws BookProblem */
  async *parts(onProgress: (progress: ReadingProgress) => void): AsyncGenerator<BookPart> {
    for await (const message of this.#messages) {
      switch (message.type) {
        case 'part':
          yield message.part;
          break;
        case 'progress':
          onProgress(message);
          break;
        case 'end':
          this.#notes = message.notes;
          break;
        // The facts came before the parts, and `#listen` throws problems.
        case 'facts':
        case 'problem':
          break;
        default:
          message satisfies never;
      }
    }
  }

  /** Remarks about the whole book, complete after the last part. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Ends the process in any state and cleans up, so that a caller may stop halfway. */
  stop(): void {
    clearInterval(this.#watch);
    this.#signal.removeEventListener('abort', this.#giveUp);
    this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
    this.#lines?.close();
  }

  /** Yields messages up to `end`; throws if `end` never comes. */
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
      throw this.#stopped ?? new BookProblem('could not be read: its content crashed the reader');
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
        this.#end(`took more than ${silent_secs} seconds for one step; the file may be corrupt`);
      } else if (now - begun > total_secs * 1000) {
        this.#end(`took more than ${total_secs} seconds to read`);
      } else if ((await readMemoryUsage(this.#child)) > memory_bytes) {
        this.#end(`takes more than ${sizeForPeople(memory_bytes)} of memory to read`);
      }
    }, WATCH_MS);
  }

  #end(why: string): void {
    this.#stopped ??= new BookProblem(why);
    this.stop();
  }
}

const tooLarge = (most: number): BookProblem =>
  new BookProblem(`is too large; the limit for books is ${sizeForPeople(most)}`);
