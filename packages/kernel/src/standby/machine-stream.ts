/** The stream of one machine that stands by: what is pushed goes out once, and nobody resumes it. */
import type { HandsEvent } from '@chat-kernel/protocol';
import { encoded, frameText } from '../base/sse-frame.ts';
import type { Reader } from '../feed/reader.ts';

export class MachineStream implements Reader {
  #waits: string[] = [];
  #last = 0;
  #closed = false;
  #callback: (() => void) | null = null;
  readonly #onStop: (stream: MachineStream) => void;

  /** @param onStop called when the machine has hung up, also after `close` */
  constructor(onStop: (stream: MachineStream) => void) {
    this.#onStop = onStop;
  }

  get ended(): boolean {
    return this.#closed && this.#waits.length === 0;
  }

  push(event: HandsEvent): void {
    if (this.#closed) return;
    this.#waits.push(frameText(String(++this.#last), encoded(event)));
    this.#wake();
  }

  /** Ends the stream behind what was pushed. */
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
