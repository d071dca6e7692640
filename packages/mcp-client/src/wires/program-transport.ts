/** Implements MCP over the input and output of a program: one message per line. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedProgram } from '@chat-kernel/hands/processes';
import { LineSplitter } from '@chat-kernel/json-rpc';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { GRACE_MS, MESSAGE_BYTES } from '../rules/limits.ts';
import { type WireProblems, withKnownContent } from './known-content.ts';

/** Milliseconds in which messages are handled before other work gets its turn. */
const SLICE_MS = 10;

/**
 * Wraps a running program. From `pid` and `stderr` the library knows that the peer is a process, whose silence means an
 * older protocol revision.
 */
export class ProgramTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly stderr = null;
  readonly pid: number | undefined;
  readonly #program: SupervisedProgram;
  readonly #problems: WireProblems;
  #closed = false;
  #hasEnded = false;
  /** True while the output is paused, until the next slice. */
  #isPaused = false;
  /** Lines that were read; those before #next have been handled. */
  #waiting: Buffer[] = [];
  #next = 0;

  constructor(program: SupervisedProgram, problems: WireProblems) {
    this.#program = program;
    this.#problems = problems;
    this.pid = program.child.pid;
  }

  async start(): Promise<void> {
    const lines = new LineSplitter(MESSAGE_BYTES);
    this.#program.child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      try {
        for (const line of lines.push(chunk)) this.#waiting.push(line);
      } catch (error) {
        // The start of the next message is lost, so the connection must end.
        this.#problems.onTooLarge(
          new RangeError(`a message of more than ${MESSAGE_BYTES} bytes`, { cause: error }),
        );
        void this.close();
        return;
      }
      this.#takeSome();
    });
    void this.#program.ended.then(() => {
      // Processes that the program left running end, too.
      this.#program.end();
      // Messages from before the end still count. If the next slice is due, it handles them.
      this.#hasEnded = true;
      if (!this.#isPaused) this.#takeSome();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#program.child;
    if (this.#closed || this.#hasEnded || !stdin?.writable) throw new Error('the program has ended');
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), error => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the input, and after a while the program. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#over();
    this.#program.child.stdin?.end();
    await Promise.race([this.#program.ended, sleep(GRACE_MS, undefined, { ref: false })]);
    this.#program.end();
    await this.#program.ended;
  }

  /** Handles messages for a short time, and the others later: a flood of messages must not block other work (SAFE-7). */
  #takeSome(): void {
    const { stdout } = this.#program.child;
    const end = performance.now() + SLICE_MS;
    while (this.#next < this.#waiting.length) {
      this.#take(this.#waiting[this.#next++] as Buffer);
      if (performance.now() < end) continue;
      stdout?.pause();
      this.#isPaused = true;
      setImmediate(() => {
        this.#isPaused = false;
        this.#takeSome();
      });
      return;
    }
    this.#dropWaiting();
    stdout?.resume();
    if (this.#hasEnded) this.#over();
  }

  #take(line: Buffer): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line.toString('utf8'));
    } catch (error) {
      // Some programs also print other lines. The error of the library would quote them.
      this.onerror?.(
        new Error(`a line that is not a message (${error instanceof Error ? error.name : typeof error})`),
      );
      return;
    }
    try {
      this.onmessage?.(withKnownContent(message, this.#problems.onUnread));
    } catch (error) {
      // A later slice has no caller that could catch this, so it would end the kernel.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      void this.close();
    }
  }

  #dropWaiting(): void {
    this.#waiting = [];
    this.#next = 0;
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#dropWaiting();
    this.onclose?.();
  }
}
