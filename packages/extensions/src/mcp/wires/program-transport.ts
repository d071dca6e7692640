/** MCP over the input and output of a program: one message per line. */
import { LineSplitter } from '@chat-kernel/json-rpc';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { GRACE_MS, MESSAGE_BYTES } from '../rules/limits.ts';
import type { Program } from './program.ts';

/**
 * Takes over a running program. By `pid` and `stderr` the library knows that it talks to a process, whose silence means
 * an older protocol revision.
 */
export class ProgramTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly stderr = null;
  readonly pid: number | undefined;
  readonly #program: Program;
  readonly #onTooLarge: (error: RangeError) => void;
  #closed = false;

  /** @param onTooLarge called when a message is larger than MESSAGE_BYTES */
  constructor(program: Program, onTooLarge: (error: RangeError) => void) {
    this.#program = program;
    this.#onTooLarge = onTooLarge;
    this.pid = program.pid;
  }

  async start(): Promise<void> {
    const lines = new LineSplitter(MESSAGE_BYTES);
    this.#program.output.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      try {
        for (const line of lines.push(chunk)) this.#take(line);
      } catch (error) {
        // The beginning of the next message cannot be found any more.
        this.#onTooLarge(new RangeError(`a message of more than ${MESSAGE_BYTES} bytes`, { cause: error }));
        void this.close();
      }
    });
    void this.#program.ended.then(() => this.#over());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#program;
    if (this.#closed || !input.writable) throw new Error('the program is gone');
    await new Promise<void>((resolve, reject) => {
      input.write(serializeMessage(message), error => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#over();
    await this.#program.end(GRACE_MS);
  }

  #take(line: Buffer): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line.toString('utf8'));
    } catch (error) {
      // Some programs print other lines, too. The error of the library would quote them.
      this.onerror?.(
        new Error(`a line that is no message (${error instanceof Error ? error.name : typeof error})`),
      );
      return;
    }
    this.onmessage?.(message);
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
