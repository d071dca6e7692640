/**
 * Spending, and the caps on it. Caps are looked at before each trip to the provider, and never cut one that runs. A trip
 * reserves what it may cost, and waits where others have reserved what is left: so a cap is passed by at most one trip.
 */
import type { Model, Settings, SpendCap, Usage } from '@chat-kernel/protocol';
import {
  type Clock,
  type DaySpend,
  ModelError,
  type Models,
  type SpendRow,
  type SpendStanding,
  type SpendStore,
  type Store,
  type TurnParameters,
} from '../ports/index.ts';
import { Allowances } from './allowances.ts';
import { type Calendar, calendarIn, monthOf } from './calendar.ts';
import {
  type Cap,
  type CapStatus,
  capsFor,
  capsOf,
  isOfAll,
  type PricedModel,
  priceProblem,
  raiseFor,
  reachedWords,
} from './caps.ts';
import type { Reservation } from './reservations.ts';
import { type Estimate, Room } from './room.ts';
import { SpendTotals, type Sum } from './spend-totals.ts';

/** A turn, as far as spending concerns it. */
interface Spender {
  readonly record: { id: string; chat_id: string; parameters?: Pick<TurnParameters, 'max_cost_usd'> };
  /** The id of the model; null until the turn begins. */
  readonly model: string | null;
  readonly usage: Usage;
}

/** The state of a turn with regard to its caps. */
export interface TurnCaps {
  /** Warnings that go into the history once the running step is whole. */
  near: string[];
  /** The question to the master that is open; null: none is. */
  asking: Promise<void> | null;
  /** The reason why the turn may spend no more; null: it may. */
  refused: Error | null;
}

interface SpendingDeps {
  store: { spend: Pick<SpendStore, 'list' | 'listDays'>; fleet: Store['fleet'] };
  models: Pick<Models, 'find'>;
  clock: Pick<Clock, 'after' | 'now'>;
}

export class Spending {
  readonly #deps: SpendingDeps;
  readonly #caps: readonly Cap[];
  readonly #calendar: Calendar;
  readonly #totals: SpendTotals;
  readonly #allowances = new Allowances();
  readonly #room: Room;
  /** The running turn of each chat. */
  readonly #turns = new Map<string, Spender>();

  constructor(deps: SpendingDeps, settings: Settings['spend']) {
    this.#deps = deps;
    this.#caps = capsOf(settings);
    this.#calendar = calendarIn(settings.timezone);
    this.#totals = new SpendTotals(model => deps.models.find(model)?.record.price ?? null);
    this.#room = new Room(deps.store.fleet, deps.clock, () => this.#standing());
  }

  /** Reads the spend of this month; called once, before anything is spent. */
  async load(): Promise<void> {
    if (!this.#caps.some(isOfAll)) return;
    this.#totals.load(await this.#deps.store.spend.listDays(`${monthOf(this.#today())}-01`));
  }

  /**
   * Reserves what the next trip of a turn may cost. Where others have reserved what is left, it waits for them.
   * @param signal ends the waiting
   * @returns the cap that is reached, where one is
   */
  reserve(turn: Spender, estimate: Estimate, signal: AbortSignal): Promise<Reservation | CapStatus> {
    const { id: turn_id, chat_id } = turn.record;
    return this.#room.reserve({ turn_id, chat_id }, async () => this.of(turn), estimate, signal);
  }

  /**
   * Counts what was spent now. Returns the row by which the caller stores it in the spend by day.
   * @param chatId null: for no chat
   */
  record(used: Usage, model: string, chatId: string | null): DaySpend {
    const day = this.#today();
    this.#totals.add({ ...used, model }, day, chatId);
    const { prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, cost_usd } = used;
    return { day, model, prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, cost_usd };
  }

  /**
   * Counts a turn that begins, or goes on after a restart.
   * @throws ModelError spend_cap where a cap is in USD and the model has no price
   */
  async begin(turn: Spender, model: Model): Promise<void> {
    const problem = priceProblem(capsFor(turn.record.parameters, this.#caps), model);
    if (problem !== null) throw new ModelError('spend_cap', problem, false);
    const { chat_id } = turn.record;
    if (this.#caps.some(({ scope }) => scope === 'chat')) {
      this.#totals.open(chat_id, await this.#deps.store.spend.list(chat_id));
    }
    this.#turns.set(chat_id, turn);
  }

  /** Forgets a turn that is over, however it ended. */
  end(turn: Spender): void {
    const { id, chat_id } = turn.record;
    this.#allowances.forget('turn', id);
    // The chat may have come back from another kernel, with a turn that has begun since.
    if (this.#turns.get(chat_id) !== turn) return;
    this.#turns.delete(chat_id);
    this.#totals.close(chat_id);
  }

  /** Forgets a deleted chat. */
  forget(chatId: string): void {
    this.#allowances.forget('chat', chatId);
  }

  /** The caps of a turn as they stand now. */
  of(turn: Spender): CapStatus[] {
    const caps = capsFor(turn.record.parameters, this.#caps);
    if (caps.length === 0) return [];
    const { id, chat_id } = turn.record;
    const used = { model: turn.model ?? '', ...turn.usage };
    const places = {
      turn: { period: id, sum: () => this.#totals.sumOf([used]) },
      chat: { period: chat_id, sum: () => this.#totals.chat(chat_id) },
    };
    return this.#statuses(places, caps);
  }

  /**
   * The caps of a chat as clients see them; undefined where the settings cap nothing.
   * @param rows the spend of the chat
   */
  shown(chatId: string, rows: readonly SpendRow[]): SpendCap[] | undefined {
    const turn = this.#turns.get(chatId);
    const statuses = turn ? this.of(turn) : this.#ofChat(chatId, rows);
    return statuses.length === 0 ? undefined : statuses.map(shownOf);
  }

  /** The caps of the day and the month, as clients see them. */
  shownOfAll(): SpendCap[] | undefined {
    const statuses = this.#statuses({});
    return statuses.length === 0 ? undefined : statuses.map(shownOf);
  }

  /**
   * Reserves what a side call may cost, as `reserve` does for a trip.
   * @param chatId the chat that pays; null: none does
   * @returns the reason why it may not be made, where there is one
   */
  async reserveSide(
    model: PricedModel,
    chatId: string | null,
    estimate: Estimate,
    signal: AbortSignal,
  ): Promise<Reservation | string> {
    const caps = this.#caps.filter(({ scope }) => scope !== 'turn' && (scope !== 'chat' || chatId !== null));
    const problem = priceProblem(caps, model);
    if (problem !== null) return problem;
    const statuses = async () =>
      chatId === null ? this.#statuses({}) : this.#ofChat(chatId, await this.#deps.store.spend.list(chatId));
    const given = await this.#room.reserve({ turn_id: null, chat_id: chatId }, statuses, estimate, signal);
    return 'of' in given ? `${reachedWords(given)} (${given.of.setting}).` : given;
  }

  /** Raises a cap by `raiseFor`, as the master has allowed; all that wait for this are called back. */
  raise(status: CapStatus): void {
    this.#allowances.raise(status, raiseFor(status));
    this.#room.tell();
  }

  /** Calls back whenever a cap was raised, or a trip is over; the returned function takes that back. */
  onRoom(callback: () => void): () => void {
    return this.#room.onMore(callback);
  }

  /** Whether people are to be told that the cap is near: true once for each cap and period. */
  tellsNear(status: CapStatus): boolean {
    return this.#allowances.tells(status);
  }

  /** What all kernels have spent, which is taken in, and have reserved; null where this one spends alone. */
  async #standing(): Promise<SpendStanding | null> {
    const { fleet } = this.#deps.store;
    if (fleet === null || !this.#caps.some(isOfAll)) return null;
    const standing = await fleet.spendStanding(`${monthOf(this.#today())}-01`);
    this.#totals.raise(standing.days);
    return standing;
  }

  #ofChat(chatId: string, rows: readonly SpendRow[]): CapStatus[] {
    return this.#statuses({ chat: { period: chatId, sum: () => this.#totals.sumOf(rows) } });
  }

  /** The caps of the day and the month, and those of the turn and the chat that are given. */
  #statuses(
    places: Partial<Record<'turn' | 'chat', { period: string; sum: () => Sum }>>,
    caps = this.#caps,
  ): CapStatus[] {
    const day = this.#today();
    const month = monthOf(day);
    const all = {
      ...places,
      day: { period: day, sum: () => this.#totals.day(day) },
      month: { period: month, sum: () => this.#totals.month(month) },
    };
    return caps.flatMap(cap => {
      const place = all[cap.scope];
      return place === undefined ? [] : [this.#statusOf(cap, place.period, place.sum())];
    });
  }

  #statusOf(cap: Cap, period: string, sum: Sum): CapStatus {
    const { scope, unit, amount } = cap;
    const raised_by = this.#allowances.raisedBy(cap, period);
    return { of: cap, period, scope, unit, spent: sum[unit], cap: amount + raised_by, raised_by };
  }

  #today(): string {
    return this.#calendar.dayOf(this.#deps.clock.now());
  }
}

const shownOf = ({ of: _, period: __, ...shown }: CapStatus): SpendCap => shown;
