/** A turn that runs or waits: its record, its feed, its step, its writes, and the one signal that ends it. */
import type { TurnContext, TurnEffort, Usage } from '@chat-kernel/protocol';
import { TurnFeed } from '../feed/feed.ts';
import type { History } from '../history/histories.ts';
import { add } from '../model/pricing.ts';
import { NO_TRUST } from '../persons/trust.ts';
import type { ChatChanges, NewMessage, TurnRecord } from '../ports/index.ts';
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

/** One run of the loop of trips and calls: a turn, or a sub-agent inside one. */
export interface Run {
  /** The turn itself, or the one that the sub-agent works for. */
  readonly turn: RunningTurn;
  /** The name of the sub-agent; absent: the turn itself runs. */
  readonly agent?: string;
  readonly step: StepBuilder;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  effort: TurnEffort;
  /** Ends the checkpoints of the request to the provider that runs, and records what it cost. Another call does nothing. */
  endRequest: () => void;
  /** The history as the model is to see it. */
  history(): Promise<History>;
  /** Stores what the step has made so far, should the process die. */
  checkpoint(): Promise<void>;
  /** Stores the messages of a finished step. */
  store(messages: NewMessage[]): Promise<void>;
  recordTrip(cost: TripCost): void;
}

/** The cost of one trip to the provider. */
export interface TripCost {
  /** The id of the model. */
  model: string;
  usage: Usage;
  /** Tokens of the prompt before any message. */
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
  /** Why modules stopped calls of the step that runs. */
  readonly blocked: string[] = [];
  usage: Usage;
  effort: TurnEffort;
  /** The id of its model; null until the turn begins. */
  model: string | null;
  /** Who speaks: known when the turn has begun, until then nobody who may do anything. */
  context: TurnContext;
  /** A turn before this one in the chat whose end is not stored yet: its writes come first. */
  previousUnstored: RunningTurn | undefined;
  endRequest: () => void = () => {};
  readonly #services: Pick<TurnServices, 'histories' | 'spending'>;

  /** @param base of its event ids, as of its feed */
  constructor(
    record: TurnRecord,
    services: Pick<TurnServices, 'clock' | 'histories' | 'spending' | 'store'>,
    base = 0,
  ) {
    this.record = record;
    this.usage = record.usage;
    this.effort = record.effort;
    this.model = record.model;
    this.context = turnContextOf(record.chat_id, record.parameters, undefined, NO_TRUST);
    this.feed = new TurnFeed(record.id, base);
    this.step = new StepBuilder(record, this.feed, services.clock);
    this.writes = new TurnWrites(this, services);
    this.#services = services;
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  /** The process ends: a turn that sleeps goes on in the next one, any other is closed as after a crash. */
  stop(): void {
    if (this.signal.aborted) return;
    // Calls that give up because the turn is handed over are not told: they have no result yet.
    if (this.sleep.handOver()) this.step.leave();
    this.life.end(RESTARTED);
  }

  history(): Promise<History> {
    return this.#services.histories.load(this.record.chat_id);
  }

  /** Counts what a call to the model cost; the disk has it with the next write. */
  recordSpend(used: Usage): void {
    this.usage = add(this.usage, used);
    // Only a turn that has a model spends.
    this.writes.addSpend(this.#services.spending.record(used, this.model as string, this.record.chat_id));
  }

  recordTrip({ model, usage, prefix_tokens }: TripCost): void {
    this.recordSpend(usage);
    this.window.counted(usage, prefix_tokens);
    this.feed.usage(model, usage);
  }

  checkpoint(): Promise<void> {
    return this.writes.write({ turn: { checkpoint: structuredClone(this.step.messages) } });
  }

  async store(messages: NewMessage[], chat?: ChatChanges): Promise<void> {
    if (messages.length === 0) return;
    this.outcome.addMessages(messages);
    this.window.grew(messages);
    await this.writes.write({ turn: { checkpoint: null }, append: messages, ...(chat && { chat }) });
  }
}
