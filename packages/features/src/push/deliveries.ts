/** Delivers notifications: tries each at most four times, and keeps the results of the last ones (PUSH-2). */
import { type Clock, type Log, timestamp } from '@chat-kernel/kernel';
import type { PushNotification, PushOutcome, PushSent } from '@chat-kernel/protocol';
import type { PushResult } from './sender.ts';

/** The delays before the second, third and fourth attempt. */
const PAUSES_MS = [1000, 5000, 30_000];
/** The number of results that are kept. */
const MAX_HISTORY = 50;
/** The maximum number of notifications that wait for a retry. If more wait, all receivers are probably unreachable. */
const MAX_WAITING = 100;

/** One notification to one receiver. */
export interface Delivery {
  word: PushNotification;
  to: PushSent['to'];
  /** The name of the receiver. */
  name: string;
  send(word: PushNotification, signal: AbortSignal): Promise<PushResult>;
  /** Whether a later attempt still makes sense. */
  isWanted(): boolean;
  /** Called if the receiver no longer exists. */
  onGone?(): Promise<void>;
}

/** Attempts since the start, by receiver and outcome. */
export interface PushCount {
  to: PushSent['to'];
  outcome: PushOutcome;
  count: number;
}

export class Deliveries {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  /** The newest first. */
  readonly #sent: PushSent[] = [];
  readonly #counts = new Map<string, PushCount>();
  /** Functions that cancel pending retries. */
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get sent(): readonly PushSent[] {
    return this.#sent;
  }

  get counts(): readonly PushCount[] {
    return [...this.#counts.values()];
  }

  /** Sends a notification, and retries if that fails. Never throws. */
  begin(delivery: Delivery): void {
    void this.#attempt(delivery, this.#remember(delivery), 1);
  }

  /** Sends a notification once. */
  async once(delivery: Delivery): Promise<PushResult> {
    return this.#try(delivery, this.#remember(delivery), 1);
  }

  /** Cancels everything in progress. */
  stop(): void {
    this.#stopping.abort();
    for (const takeBack of this.#waiting) takeBack();
    this.#waiting.clear();
  }

  async #attempt(delivery: Delivery, entry: PushSent, attempt: number): Promise<void> {
    const { outcome, passing } = await this.#try(delivery, entry, attempt);
    if (outcome !== 'failed' || this.#stopping.signal.aborted) return;
    const pause = PAUSES_MS[attempt - 1];
    if (passing && pause !== undefined && this.#waiting.size < MAX_WAITING && delivery.isWanted()) {
      entry.again = true;
      this.#after(pause, () => {
        entry.again = false;
        if (delivery.isWanted()) void this.#attempt(delivery, entry, attempt + 1);
      });
      return;
    }
    const { type, to, detail } = entry;
    this.#log.warn({ type, to, attempts: attempt, reason: detail }, 'sending a notification failed');
  }

  async #try(delivery: Delivery, entry: PushSent, attempt: number): Promise<PushResult> {
    const result = await delivery.send(delivery.word, this.#stopping.signal);
    const { outcome, detail } = result;
    Object.assign(entry, { at: timestamp(this.#clock), outcome, detail, attempts: attempt });
    if (!this.#stopping.signal.aborted) this.#count(entry.to, outcome);
    if (outcome === 'gone') {
      await delivery.onGone?.().catch(err => {
        this.#log.warn({ err }, 'removing an expired push subscription failed');
      });
    }
    return result;
  }

  #after(ms: number, callback: () => void): void {
    const takeBack = this.#clock.after(ms, () => {
      this.#waiting.delete(takeBack);
      callback();
    });
    this.#waiting.add(takeBack);
  }

  #remember({ word: { type, chat_id }, to, name }: Delivery): PushSent {
    const at = timestamp(this.#clock);
    const entry: PushSent = {
      at,
      type,
      chat_id,
      to,
      name,
      outcome: 'failed',
      detail: 'A test is already being sent.',
      attempts: 1,
      again: false,
    };
    this.#sent.unshift(entry);
    this.#sent.length = Math.min(this.#sent.length, MAX_HISTORY);
    return entry;
  }

  #count(to: PushSent['to'], outcome: PushOutcome): void {
    const key = `${to} ${outcome}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { to, outcome, count });
  }
}
