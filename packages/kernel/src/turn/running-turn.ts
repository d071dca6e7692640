/** A turn that runs or waits: its record, its feed, its step, its writes, and the one signal that ends it. */
import type { TurnContext, TurnEffort, Usage } from '@chat-kernel/protocol';
import type { AtOnce } from '../base/at-once.ts';
import { TurnFeed } from '../feed/feed.ts';
import type { History } from '../history/histories.ts';
import { add } from '../model/pricing.ts';
import { NO_TRUST } from '../persons/trust.ts';
import type { ChatChanges, NewMessage, TraceContext, TurnRecord } from '../ports/index.ts';
import { NO_RESERVATION, type Reservation } from '../spend/reservations.ts';
import type { TurnCaps } from '../spend/spending.ts';
import { ContextWindow } from './context-window.ts';
import { RESTARTED } from './ending.ts';
import { StepBuilder } from './step-builder.ts';
import { turnContextOf } from './turn-context.ts';
import { TurnLife } from './turn-life.ts';
import { TurnOutcome } from './turn-outcome.ts';
import type { TurnServices } from './turn-services.ts';
import { TurnSleep } from './turn-sleep.ts';
import { TurnWrites } from './turn-writes.ts';

/** A run of the loop of trips and calls: a turn, or a sub-agent inside a turn. */
export interface Run {
  /** The turn itself, or the one that the sub-agent works for. */
  readonly turn: RunningTurn;
  /** The name of the sub-agent; absent: the turn itself runs. */
  readonly agent?: string;
  /** The call of the turn that set the sub-agent to work. */
  readonly lead_call?: string;
  readonly step: StepBuilder;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  effort: TurnEffort;
  /** The trace that the run is part of; undefined: there is none. */
  readonly trace: TraceContext | undefined;
  /** Ends the request to the provider that is under way, and records its cost. A second call does nothing. */
  endRequest: () => void;
  /** The history as the model may see it. */
  history(): Promise<History>;
  /** Stores the messages of a finished step. */
  store(messages: NewMessage[]): Promise<void>;
  /** @param reservation of what the trip might cost */
  recordTrip(cost: TripCost, reservation: Reservation): void;
}

/** The cost of one trip to the provider. */
export interface TripCost {
  /** The id of the model. */
  model: string;
  usage: Usage;
  /** The tokens of the prompt before any message. */
  prefix_tokens: number;
}

export class RunningTurn implements Run {
  readonly turn = this;
  readonly record: TurnRecord;
  readonly feed: TurnFeed;
  readonly step: StepBuilder;
  readonly writes: TurnWrites;
  readonly life = new TurnLife();
  readonly outcome = new TurnOutcome();
  readonly sleep = new TurnSleep();
  readonly window = new ContextWindow();
  readonly caps: TurnCaps = { near: [], asking: null, refused: null };
  /** The reasons for which modules stopped calls of the running step. */
  readonly blocked: string[] = [];
  /** The places of tools that may run only so often at once in the turn, its sub-agents included, by their names. */
  readonly places = new Map<string, AtOnce>();
  usage: Usage;
  effort: TurnEffort;
  /** Undefined until the turn begins. */
  trace: TraceContext | undefined;
  /** The id of the model; null until the turn begins. */
  model: string | null;
  /** The speaker and the surface. Until the turn has begun, the speaker is unknown and has no rights. */
  context: TurnContext;
  /** The epoch of the chat when the turn was made, which all its writes name; undefined: there is no other kernel. */
  readonly epoch: number | undefined;
  /** An earlier turn of the chat whose end is not stored yet; its writes come first. */
  previousUnstored: RunningTurn | undefined;
  endRequest: () => void = () => {};
  readonly #services: Pick<TurnServices, 'histories' | 'ownership' | 'spending'>;
  #lastCheckpoint: Promise<unknown> = Promise.resolve();
  #nextCheckpoint: Promise<void> | undefined;

  /** @param base the first number of its event ids */
  constructor(
    record: TurnRecord,
    services: Pick<
      TurnServices,
      'clock' | 'histories' | 'journal' | 'ownership' | 'spending' | 'store' | 'ticks'
    >,
    base = 0,
  ) {
    this.record = record;
    this.epoch = services.ownership.epochOf(record.chat_id);
    this.usage = record.usage;
    this.effort = record.effort;
    this.model = record.model;
    this.context = turnContextOf(record.chat_id, record.parameters, undefined, NO_TRUST);
    const { clock, journal, ticks } = services;
    this.feed = new TurnFeed(record.id, base, { ticks, onText: (block, json) => journal.text(block, json) });
    this.step = new StepBuilder(record, this.feed, clock, journal);
    this.writes = new TurnWrites(this, services);
    this.#services = services;
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  /** The turn begins while its message is being stored (see `TurnLife.stored`). */
  beginUnstored(stored: Promise<void>): void {
    this.life.beginUnstored(stored);
    this.feed.log.hold(this.life.stored);
  }

  /**
   * Ends the turn with the process: one that sleeps goes on in the next process, any other is closed as after a
   * crash.
   */
  stop(): void {
    if (this.signal.aborted) return;
    // Calls that stop because the turn is handed over have no result yet, so nothing of their failure is written.
    if (this.sleep.handOver()) this.step.leave();
    this.life.end(RESTARTED);
  }

  /** Ends the turn without a word: its chat belongs to another kernel. */
  fence(): void {
    if (this.life.isFenced) return;
    this.life.fence(RESTARTED);
    this.#services.ownership.refused(this.record.chat_id, this.epoch);
  }

  async history(): Promise<History> {
    const { histories } = this.#services;
    const { chat_id } = this.record;
    // The store has the message of the turn only once that is stored.
    if (!histories.has(chat_id)) await this.life.stored;
    return histories.load(chat_id);
  }

  /** Counts the cost of a call to the model; the next write of the turn stores it. */
  recordSpend(used: Usage, reservation = NO_RESERVATION): void {
    this.usage = add(this.usage, used);
    // Only a turn that has a model spends.
    const day = this.#services.spending.record(used, this.model as string, this.record.chat_id);
    this.writes.addSpend(day, reservation.spent());
  }

  recordTrip({ model, usage, prefix_tokens }: TripCost, reservation: Reservation): void {
    this.recordSpend(usage, reservation);
    this.window.counted(usage, prefix_tokens);
    // The request of a turn that could not be stored may end after its feed.
    if (!this.feed.closed) this.feed.usage(model, usage);
  }

  /**
   * Stores the unfinished step. A write that has not begun yet has all that is there when it begins, so those that ask
   * meanwhile share it.
   */
  checkpoint(): Promise<void> {
    this.#nextCheckpoint ??= this.#lastCheckpoint.then(() => {
      this.#nextCheckpoint = undefined;
      const { messages } = this.step;
      // A step that was stored meanwhile has nothing to keep; what was spent is still to be written.
      const checkpoint = messages.length === 0 ? {} : { checkpoint: structuredClone(messages) };
      const written = this.writes.write({ turn: checkpoint });
      this.#lastCheckpoint = written.catch(() => {});
      return written;
    });
    return this.#nextCheckpoint;
  }

  async store(messages: NewMessage[], chat?: ChatChanges): Promise<void> {
    if (messages.length === 0) return;
    this.outcome.addMessages(messages);
    this.window.grew(messages);
    const step = { turn: { checkpoint: null }, append: messages, ...(chat && { chat }) };
    await this.writes.writeSurely(step, this.signal);
  }
}
