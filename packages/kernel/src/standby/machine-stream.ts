/** The stream of one stand-by machine: each pushed event is sent once, and the stream cannot be resumed. */
import type { HandsEvent } from '@chat-kernel/protocol';
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';
import type { SandboxKind } from '../ports/index.ts';

export class MachineStream implements Reader {
  #waits: string[] = [];
  #last = 0;
  #closed = false;
  #callback: (() => void) | null = null;
  readonly #onStop: (stream: MachineStream) => void;
  /** The sandbox of the machine's commands, if it reports one. */
  readonly sandbox: SandboxKind | undefined;

  /** @param onStop called when the machine has disconnected, also after `close` */
  constructor(onStop: (stream: MachineStream) => void, sandbox?: SandboxKind) {
    this.#onStop = onStop;
    this.sandbox = sandbox;
  }

  get ended(): boolean {
    return this.#closed && this.#waits.length === 0;
  }

  push(event: HandsEvent): void {
    if (this.#closed) return;
    this.#waits.push(frameText(String(++this.#last), encoded(event)));
    this.#wake();
  }

  /** Ends the stream after the pushed events. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  take(): string {
    return this.#waits.shift() ?? '';
  }

  wait(callback: () => void): void {
    this.#callback = callback;
  }

  stop(): void {
    this.#callback = null;
    this.#closed = true;
    this.#onStop(this);
  }

  #wake(): void {
    const callback = this.#callback;
    this.#callback = null;
    callback?.();
  }
}
