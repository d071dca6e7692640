/** What a module wants in the kernel's log, within bounds. */
import type { Clock, Log } from '@chat-kernel/kernel';
import { cutText } from '@chat-kernel/protocol';
import { z } from 'zod';
import { Allowance } from '../../jsonrpc/index.ts';

const MAX_CHARS = 2000;
const LINES_PER_SECOND = 20;

const Line = z.object({
  level: z.enum(['debug', 'info', 'warn', 'error']).catch('info'),
  message: z.string(),
});

export class ModuleLog {
  readonly #name: string;
  readonly #log: Log;
  readonly #lines: Allowance;
  #leftOut = 0;

  constructor(name: string, log: Log, clock: Clock) {
    this.#name = name;
    this.#log = log;
    this.#lines = new Allowance(LINES_PER_SECOND, clock);
  }

  /** The notification `log`; anything else in its place is not logged. */
  notified(params: unknown): void {
    const { data } = Line.safeParse(params);
    if (data) this.#say(data.level, data.message);
  }

  /** A piece of what it prints as errors. */
  printed(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#say('debug', line);
  }

  #say(level: keyof Log, message: string): void {
    if (!this.#lines.take()) {
      this.#leftOut++;
      return;
    }
    const left_out = this.#leftOut;
    this.#leftOut = 0;
    this.#log[level]({ module: this.#name, ...(left_out > 0 && { left_out }) }, cutText(message, MAX_CHARS));
  }
}
