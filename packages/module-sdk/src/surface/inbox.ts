/**
 * Processes stored messages until each has ended. Messages are started one after the other, which keeps the order within
 * a conversation, but their turns run concurrently.
 */
import { RetryBackoff, WakeablePause } from '@chat-kernel/base';
import { isRetryable } from '@chat-kernel/client';
import type { Logger } from '../logger.ts';

/** Maximum number of turns followed at the same time. */
const MAX_CONCURRENT_TURNS = 32;
/** The interval between checks of the stored messages. */
const POLL_INTERVAL_MS = 1000;
const PAUSES = { firstMs: 1000, maxMs: 30_000 };

/**
 * `rest`: work that runs concurrently with the next messages, such as the turn. `laterMs`: the time until a retry makes
 * sense.
 */
export type Begun = { rest: Promise<void> } | { laterMs: number };

interface InboxMessages {
  /** The messages that have not ended, in the order in which they must begin. */
  open(): readonly number[];
  /** Begins or continues the work on a message. The next message begins after this has resolved. */
  begin(id: number, signal: AbortSignal): Promise<Begun | undefined>;
  /** Ends a message that can never succeed. */
  fail(id: number, reason: string): void;
}

export class Inbox {
  readonly #messages: InboxMessages;
  readonly #log: Logger;
  readonly #pause = new WakeablePause();
  readonly #running = new Map<number, Promise<void>>();
  /** Message → the time of its next attempt, and its failures so far. */
  readonly #retries = new Map<number, { at: number; backoff: RetryBackoff }>();

  constructor(messages: InboxMessages, log: Logger) {
    this.#messages = messages;
    this.#log = log;
  }

  /** Checks for new messages immediately. */
  wake(): void {
    this.#pause.wake();
  }

  /** Whether the limit for concurrent turns is reached. */
  get isFull(): boolean {
    return this.#running.size >= MAX_CONCURRENT_TURNS;
  }

  /** Works until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A message that is running now may end before the loop reaches it.
      for (const id of this.#messages.open().filter(id => !this.#running.has(id))) {
        if (signal.aborted) break;
        if ((this.#retries.get(id)?.at ?? 0) > Date.now()) continue;
        await this.#begin(id, signal);
      }
      await this.#pause.wait(POLL_INTERVAL_MS, signal);
    }
    await Promise.all(this.#running.values());
  }

  async #begin(id: number, signal: AbortSignal): Promise<void> {
    try {
      const begun = await this.#messages.begin(id, signal);
      if (begun && 'laterMs' in begun) this.#backoffOf(id).at = Date.now() + begun.laterMs;
      else this.#retries.delete(id);
      if (begun && 'rest' in begun) this.#running.set(id, this.#finish(id, begun.rest, signal));
    } catch (error) {
      this.#onFailure(id, error as Error, signal);
    }
  }

  async #finish(id: number, rest: Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await rest;
    } catch (error) {
      this.#onFailure(id, error as Error, signal);
    } finally {
      this.#running.delete(id);
      this.wake();
    }
  }

  /** Retries a retryable failure with increasing delays; any other failure ends the message. */
  #onFailure(id: number, error: Error, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#log.warn(`Message ${id}: ${error.message}`);
    if (!isRetryable(error)) {
      this.#retries.delete(id);
      this.#messages.fail(id, error.message);
      return;
    }
    const retry = this.#backoffOf(id);
    retry.at = Date.now() + retry.backoff.nextMs();
  }

  #backoffOf(id: number): { at: number; backoff: RetryBackoff } {
    const entry = this.#retries.get(id) ?? { at: 0, backoff: new RetryBackoff(PAUSES) };
    this.#retries.set(id, entry);
    return entry;
  }
}
