/** Writes the output of a module to the kernel's log, truncated and rate-limited. */
import type { Clock, Log } from '@chat-kernel/kernel';
import { cutText } from '@chat-kernel/text';
import { z } from 'zod';
import { RateLimiter } from '../pace/rate-limiter.ts';

const MAX_CHARS = 2000;
const LINES_PER_SECOND = 20;

const Line = z.object({
  level: z.enum(['debug', 'info', 'warn', 'error']).catch('info'),
  message: z.string(),
});

export class ModuleLog {
  readonly #name: string;
  readonly #log: Log;
  readonly #lines: RateLimiter;
  #leftOut = 0;

  constructor(name: string, log: Log, clock: Clock) {
    this.#name = name;
    this.#log = log;
    this.#lines = new RateLimiter(LINES_PER_SECOND, clock);
  }

  /** Logs the parameters of the notification `log`. Returns false if they are malformed. */
  notified(params: unknown): boolean {
    const { data } = Line.safeParse(params);
    if (data) this.#write(data.level, data.message);
    return data !== undefined;
  }

  /** Logs a piece of the module's output on stderr. */
  printed(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#write('debug', line);
  }

  #write(level: keyof Log, message: string): void {
    if (!this.#lines.take()) {
      this.#leftOut++;
      return;
    }
    const left_out = this.#leftOut;
    this.#leftOut = 0;
    this.#log[level]({ module: this.#name, ...(left_out > 0 && { left_out }) }, cutText(message, MAX_CHARS));
  }
}
