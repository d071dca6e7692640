/** Holds the model of a turn: its id, usage, context window, and pauses before retries. */
import type { Usage } from '@chat-kernel/protocol';
import type { TurnFeed } from '../feed/feed.ts';
import { add } from '../model/pricing.ts';
import type { DaySpend, ProviderWait, TurnRecord } from '../ports/index.ts';
import { NO_RESERVATION, type Reservation } from '../spend/reservations.ts';
import type { Spending, TurnCaps } from '../spend/spending.ts';
import { ContextWindow } from './context-window.ts';

/** The parts of a turn that are notified about its model. */
interface ModelTurn {
  readonly record: Pick<TurnRecord, 'chat_id' | 'model' | 'usage'>;
  readonly feed: Pick<TurnFeed, 'closed' | 'providerWait'>;
  readonly writes: { addSpend(used: DaySpend, onStored?: () => void): void };
}

export class TurnModel {
  /** Null until the turn begins. */
  id: string | null;
  usage: Usage;
  readonly window = new ContextWindow();
  readonly caps: TurnCaps = { near: [], asking: null, refused: null };
  readonly #turn: ModelTurn;
  readonly #spending: Pick<Spending, 'record'>;
  /** True during a pause before a retry of a provider request. */
  waits = false;

  constructor(turn: ModelTurn, spending: Pick<Spending, 'record'>) {
    this.id = turn.record.model;
    this.usage = turn.record.usage;
    this.#turn = turn;
    this.#spending = spending;
  }

  /** Counts the cost of a call to the model; the next write of the turn stores it. */
  recordSpend(used: Usage, reservation: Reservation = NO_RESERVATION): void {
    this.usage = add(this.usage, used);
    // A turn that spends has a model.
    const day = this.#spending.record(used, this.id as string, this.#turn.record.chat_id);
    this.#turn.writes.addSpend(day, reservation.spent());
  }

  /** Starts a pause before a retry of a provider request; null: ends it. */
  readonly onProviderWait = (wait: ProviderWait | null): void => {
    this.waits = wait !== null;
    if (wait !== null && !this.#turn.feed.closed) this.#turn.feed.providerWait(wait);
  };
}
