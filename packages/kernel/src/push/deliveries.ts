/** Words on their way: each is tried four times at most, and what became of the last ones is remembered (PUSH-2). */
import type { PushOutcome, PushSent, PushWord } from '@chat-kernel/protocol';
import { type Clock, type Log, type PushResult, timestamp } from '../ports/index.ts';

/** The pauses before the second, third and fourth attempt. */
const PAUSES_MS = [1000, 5000, 30_000];
/** The words that are remembered. */
const KEPT = 50;
/** The words that may wait for their next attempt; more of them say that nobody can be reached. */
const MOST_WAITING = 100;

/** One word to one receiver. */
export interface Delivery {
  word: PushWord;
  to: PushSent['to'];
  /** Of the receiver. */
  name: string;
  send(word: PushWord, signal: AbortSignal): Promise<PushResult>;
  /** Whether a later attempt still makes sense. */
  isWanted(): boolean;
  /** Called where the receiver is gone for good. */
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
  /** Takes back an attempt that is to come. */
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

  /** Sends a word, and again where that fails. Never throws. */
  begin(delivery: Delivery): void {
    void this.#attempt(delivery, this.#remember(delivery), 1);
  }

  /** Sends a word once. */
  async once(delivery: Delivery): Promise<PushResult> {
    return this.#try(delivery, this.#remember(delivery), 1);
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#stopping.abort();
    for (const takeBack of this.#waiting) takeBack();
    this.#waiting.clear();
  }

  async #attempt(delivery: Delivery, entry: PushSent, attempt: number): Promise<void> {
    const { outcome, passing } = await this.#try(delivery, entry, attempt);
    if (outcome !== 'failed' || this.#stopping.signal.aborted) return;
    const pause = PAUSES_MS[attempt - 1];
    if (passing && pause !== undefined && this.#waiting.size < MOST_WAITING && delivery.isWanted()) {
      entry.again = true;
      this.#after(pause, () => {
        entry.again = false;
        if (delivery.isWanted()) void this.#attempt(delivery, entry, attempt + 1);
      });
      return;
    }
    const { type, to, detail } = entry;
    this.#log.warn({ type, to, attempts: attempt, reason: detail }, 'a word to the owner could not be sent');
  }

  async #try(delivery: Delivery, entry: PushSent, attempt: number): Promise<PushResult> {
    const result = await delivery.send(delivery.word, this.#stopping.signal);
    const { outcome, detail } = result;
    Object.assign(entry, { at: timestamp(this.#clock), outcome, detail, attempts: attempt });
    if (!this.#stopping.signal.aborted) this.#count(entry.to, outcome);
    if (outcome === 'gone') {
      await delivery.onGone?.().catch(err => {
        this.#log.warn({ err }, 'a push subscription that is gone could not be removed');
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
      detail: 'It is under way.',
      attempts: 1,
      again: false,
    };
    this.#sent.unshift(entry);
    this.#sent.length = Math.min(this.#sent.length, KEPT);
    return entry;
  }

  #count(to: PushSent['to'], outcome: PushOutcome): void {
    const key = `${to} ${outcome}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { to, outcome, count });
  }
}
