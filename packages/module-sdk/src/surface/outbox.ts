/**
 * Sends stored messages. A message is marked `sending` before it is sent, so that after a crash only marked ones may
 * have arrived.
 */
import { RetryBackoff, type RetryPauses } from '@chat-kernel/base';
import type { Logger } from '../logger.ts';
import { pause } from './retry-policy.ts';

/** `sending`: it may have arrived. `sent` and `failed` are final. */
export type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed';

/** The consequences of a failed attempt for its message, and for the next ones. */
export interface SendFailure {
  /** `failed`: it can never be sent. */
  state: 'waiting' | 'sending' | 'failed';
  reason: string;
  /**
   * `continue`: the other side handled the attempt, and the next message may be sent. `retry`: it accepts none for now,
   * so the lane retries after a delay. `stop`: it accepts none until the next flush.
   */
  lane: 'continue' | 'retry' | 'stop';
  /** The delay that the other side requests. */
  retryAfterMs?: number | undefined;
}

/** Messages of one lane are sent one after the other; lanes are, for example, the chats of a messenger. */
interface OutboxChannel<Message, Receipt, Lane extends string | number = string | number> {
  pauses: RetryPauses;
  /** The lanes with messages to send now. */
  lanes(): Iterable<Lane>;
  /**
   * The first message of a lane that may be sent now. A message that has failed with `continue` is skipped for a while.
   */
  next(lane: Lane): Message | undefined;
  /** Resolves when the other side has the message. */
  send(message: Message): Promise<Receipt>;
  /**
   * Whether a message whose sending was interrupted has arrived. Without this function such a message is sent again,
   * and may arrive twice. If it throws, the lane retries after a delay.
   */
  hasArrived?(message: Message): Promise<boolean>;
  failureOf(error: unknown, message: Message): SendFailure;
  /** Stores the state. Returns false if the message no longer needs to be sent. */
  mark(message: Message, state: OutboxState, about: Partial<SendFailure> & { receipt?: Receipt }): boolean;
}

interface OutboxServices {
  log: Logger;
  signal: AbortSignal;
}

export class Outbox<Message, Receipt = void, Lane extends string | number = string | number> {
  readonly #channel: OutboxChannel<Message, Receipt, Lane>;
  readonly #services: OutboxServices;
  /** The lanes in progress. */
  readonly #busy = new Map<Lane, Promise<void>>();

  constructor(channel: OutboxChannel<Message, Receipt, Lane>, services: OutboxServices) {
    this.#channel = channel;
    this.#services = services;
  }

  /** Sends all messages that may be sent now. Resolves when each lane has ended or stopped. Never rejects. */
  async flush(): Promise<void> {
    for (const lane of new Set(this.#channel.lanes())) {
      if (!this.#busy.has(lane)) this.#busy.set(lane, this.#serve(lane));
    }
    await Promise.all(this.#busy.values());
  }

  async #serve(lane: Lane): Promise<void> {
    const { log, signal } = this.#services;
    const backoff = new RetryBackoff(this.#channel.pauses);
    // `#busy` must contain the lane before it can end.
    await Promise.resolve();
    try {
      for (;;) {
        if (signal.aborted) return;
        const message = this.#channel.next(lane);
        if (message === undefined) return;
        const failure = await this.#send(message);
        if (signal.aborted) return;
        if (failure?.lane === 'stop') return log.error(`A message could not be sent: ${failure.reason}`);
        if (failure?.lane !== 'retry') {
          backoff.reset();
          continue;
        }
        // Log a long network outage only once.
        if (backoff.failures === 0) log.warn(`Messages wait in the outbox: ${failure.reason}`);
        const nextMs = backoff.nextMs();
        await pause(failure.retryAfterMs ?? nextMs, signal);
      }
    } catch (error) {
      log.error(`The outbox has failed: ${(error as Error).stack}`);
    } finally {
      this.#busy.delete(lane);
    }
  }

  async #send(message: Message): Promise<Pick<SendFailure, 'reason' | 'lane' | 'retryAfterMs'> | undefined> {
    const channel = this.#channel;
    try {
      if (await channel.hasArrived?.(message)) {
        channel.mark(message, 'sent', {});
        return undefined;
      }
    } catch (error) {
      return { reason: (error as Error).message, lane: 'retry' };
    }
    if (!channel.mark(message, 'sending', {})) return undefined;
    let receipt: Receipt;
    try {
      receipt = await channel.send(message);
    } catch (error) {
      // The message stays unchanged, and the next process continues.
      if (this.#services.signal.aborted) return undefined;
      const failure = channel.failureOf(error, message);
      channel.mark(message, failure.state, failure);
      return failure;
    }
    channel.mark(message, 'sent', { receipt });
    return undefined;
  }
}
