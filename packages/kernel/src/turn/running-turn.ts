/** Holds the state of a running or waiting turn: its record, feed, step and writes, and the signal that ends it. */
import type { Semaphore } from '@chat-kernel/base';
import type { TurnContext, TurnEffort, Usage } from '@chat-kernel/protocol';
import { QuestionQueue } from '../client-machine/question-queue.ts';
import { TurnFeed } from '../feed/feed.ts';
import type { History } from '../history/history.ts';
import { NO_TRUST } from '../persons/persons.ts';
import type { ChatChanges, ChatRecord, HeldChat, NewMessage, TurnRecord } from '../ports/index.ts';
import type { Reservation } from '../spend/reservations.ts';
import { RESTARTED } from './ending.ts';
import { StepBuilder } from './step-builder.ts';
import { buildTurnContext } from './turn-context.ts';
import { TurnLife, TurnOutcome } from './turn-life.ts';
import { TurnModel } from './turn-model.ts';
import type { TurnServices } from './turn-services.ts';
import { TurnSleep } from './turn-sleep.ts';
import { TurnWrites } from './turn-writes.ts';

/** A run of the loop of provider requests and calls: a turn, or a sub-agent inside a turn. */
export interface Run {
  /** The turn itself, or the turn that the sub-agent works for. */
  readonly turn: RunningTurn;
  /** The name of the sub-agent; absent if the turn itself runs. */
  readonly agent?: string;
  /** The call of the turn that started the sub-agent. */
  readonly lead_call?: string;
  readonly step: StepBuilder;
  /** Aborted when the run must end. */
  readonly signal: AbortSignal;
  effort: TurnEffort;
  /** Ends the provider request in progress and records its cost. A second call does nothing. */
  endRequest: () => void;
  /** The history that the model may see. */
  history(): Promise<History>;
  /** Stores the messages of a finished step. */
  store(messages: NewMessage[]): Promise<void>;
  /** @param reservation the reservation for the estimated cost */
  recordTrip(cost: TripCost, reservation: Reservation): void;
}

/** The cost of one provider request. */
export interface TripCost {
  /** The id of the model. */
  model: string;
  usage: Usage;
  /** The tokens of the prompt before any message. */
  prefix_tokens: number;
}

interface TurnCalls {
  /** The reasons for which modules blocked calls of the running step. */
  readonly blocked: string[];
  /** The concurrency limits of tools, by tool name. */
  readonly places: Map<string, Semaphore>;
  /** Outside sources that no stored result names yet. */
  unmarked: string[];
  /** The order of the requests for consent. */
  readonly questions: QuestionQueue;
  /** The number of fetches that did not ask because their address was known (CONSENT-4). */
  knownFetches: number;
}

export class RunningTurn implements Run {
  readonly turn = this;
  readonly record: TurnRecord;
  /** The chat since the turn was created. */
  readonly held: HeldChat;
  readonly feed: TurnFeed;
  readonly step: StepBuilder;
  readonly writes: TurnWrites;
  readonly model: TurnModel;
  readonly life = new TurnLife();
  readonly outcome = new TurnOutcome();
  readonly sleep = new TurnSleep();
  /** State shared by all calls of the turn, including those of its sub-agents. */
  readonly calls: TurnCalls = {
    blocked: [],
    places: new Map(),
    unmarked: [],
    questions: new QuestionQueue(),
    knownFetches: 0,
  };
  effort: TurnEffort;
  /** The chat when the turn begins; absent: not read yet. */
  chat?: ChatRecord;
  /** The speaker and the surface. Until the turn has begun, the speaker is unknown and has no rights. */
  context: TurnContext;
  endRequest: () => void = () => {};
  readonly #histories: TurnServices['histories'];

  /** @param base the first number of its event ids */
  constructor(
    record: TurnRecord,
    services: Pick<
      TurnServices,
      'clock' | 'histories' | 'ownership' | 'secrets' | 'spending' | 'steps' | 'store'
    >,
    base = 0,
  ) {
    this.record = record;
    this.held = services.ownership.hold(record.chat_id);
    this.effort = record.effort;
    this.context = buildTurnContext(record.chat_id, record.parameters, undefined, NO_TRUST);
    const { clock, histories, ownership, store, steps } = services;
    const { journal, ticks } = steps;
    this.feed = new TurnFeed(record.id, base, { ticks, onText: (block, json) => journal.text(block, json) });
    this.step = new StepBuilder(record, this.feed, services, journal);
    this.writes = new TurnWrites(this, { store, histories, journal, ownership, clock });
    this.model = new TurnModel(this, services.spending);
    this.#histories = histories;
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  /**
   * Ends the turn with the process: a sleeping turn continues in the next process, any other is closed as after a
   * crash.
   */
  stop(): void {
    if (this.signal.aborted) return;
    // Calls that stop because the turn is handed over have no result yet, so their failure must not be written.
    if (this.sleep.handOver()) this.step.leave();
    this.life.end(RESTARTED);
  }

  history(): Promise<History> {
    return this.#histories.load(this.record.chat_id);
  }

  recordTrip({ model, usage, prefix_tokens }: TripCost, reservation: Reservation): void {
    this.model.recordSpend(usage, reservation);
    this.model.window.counted(usage, prefix_tokens);
    // The provider request of a turn that another kernel continues may end after its feed.
    if (!this.feed.closed) this.feed.usage({ type: 'usage', model, ...usage });
  }

  async store(messages: NewMessage[], chat?: ChatChanges): Promise<void> {
    if (messages.length === 0) return;
    this.outcome.addMessages(messages);
    this.model.window.grew(messages);
    const { outside } = this.record;
    const turn = { checkpoint: null, ...(outside.length > 0 && { outside }) };
    const step = { turn, append: messages, ...(chat && { chat }) };
    await this.writes.writeSurely(step, this.signal);
  }
}
