/**
 * Tracks spend and enforces its caps, which are checked before each provider request and never interrupt a running one.
 * A request reserves its possible cost, or waits until others release theirs: so at most one request exceeds a cap.
 */
import type { Model, Settings, SpendCap, Usage } from '@chat-kernel/protocol';
import type { SharedLog } from '../fleet/shared-log.ts';
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
import { type Estimate, SpendAdmission } from './admission.ts';
import { Allowances } from './allowances.ts';
import { CapQuestions } from './cap-questions.ts';
import {
  type Cap,
  type CapStatus,
  capKey,
  capsFor,
  isOfAll,
  listCaps,
  type PricedModel,
  priceProblem,
  raiseFor,
  reachedWords,
} from './caps.ts';
import type { Reservation } from './reservations.ts';
import { type Calendar, calendarIn, SpendTotals, type Sum, toMonth } from './spend-totals.ts';

/** The parts of a turn that concern spend. */
interface Spender {
  readonly record: { id: string; chat_id: string; parameters?: Pick<TurnParameters, 'max_cost_usd'> };
  /** The model, whose id is null until the turn begins. */
  readonly model: { readonly id: string | null; readonly usage: Usage };
}

/** The state of a turn with regard to its caps. */
export interface TurnCaps {
  /** Warnings that are added to the history when the running step is complete. */
  near: string[];
  /** The open question to the user; null if there is none. */
  asking: Promise<void> | null;
  /** The reason why the turn may spend no more; null: it may. */
  refused: Error | null;
}

interface SpendingDeps {
  store: { spend: Pick<SpendStore, 'list' | 'listDays'>; fleet: Store['fleet'] };
  models: Pick<Models, 'find'>;
  clock: Pick<Clock, 'after' | 'now'>;
  /** Absent: no other kernel uses this database. */
  shared?: Pick<SharedLog, 'onChange' | 'publish'> | undefined;
}

export class Spending {
  readonly #deps: SpendingDeps;
  readonly #caps: readonly Cap[];
  readonly #calendar: Calendar;
  readonly #totals: SpendTotals;
  readonly #allowances = new Allowances();
  readonly #room: SpendAdmission;
  readonly #questions: CapQuestions;
  /** The running turn of each chat. */
  readonly #turns = new Map<string, Spender>();

  /** @param timezone of days and months; null: that of the machine */
  constructor(deps: SpendingDeps, settings: Settings['spend'], timezone: string | null) {
    this.#deps = deps;
    this.#caps = listCaps(settings);
    this.#calendar = calendarIn(timezone);
    this.#totals = new SpendTotals(model => deps.models.find(model)?.record.price ?? null);
    this.#room = new SpendAdmission(deps.store.fleet, deps.clock, () => this.#standing());
    this.#questions = new CapQuestions(deps.store.fleet, deps.clock, () => this.#room.tell());
    deps.shared?.onChange('caps', async () => {
      await this.#standing();
      this.#room.tell();
    });
  }

  /** Reads the spend of this month; called once, before anything is spent. */
  async load(): Promise<void> {
    if (!this.#caps.some(isOfAll)) return;
    this.#totals.load(await this.#deps.store.spend.listDays(`${toMonth(this.#today())}-01`));
    await this.#standing();
  }

  /**
   * Reserves the possible cost of the next provider request of a turn. Waits if others have reserved the budget.
   * @param signal ends the wait
   * @returns the cap that is reached, if any
   */
  reserve(turn: Spender, estimate: Estimate, signal: AbortSignal): Promise<Reservation | CapStatus> {
    const { id: turn_id, chat_id } = turn.record;
    return this.#room.reserve({ turn_id, chat_id }, async () => this.of(turn), estimate, signal);
  }

  /**
   * Counts new spend. Returns the row that the caller stores in the spend by day.
   * @param chatId null: outside of chats
   */
  record(used: Usage, model: string, chatId: string | null): DaySpend {
    const day = this.#today();
    this.#totals.add({ ...used, model }, day, chatId);
    const { prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, cost_usd } = used;
    return { day, model, prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, cost_usd };
  }

  /**
   * Counts a turn that begins, or continues after a restart.
   * @throws ModelError spend_cap if a cap is in USD and the model has no price
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

  /** Stops tracking a turn that has ended, however it ended. */
  end(turn: Spender): void {
    const { id, chat_id } = turn.record;
    this.#allowances.forget('turn', id);
    // The chat may have returned from another kernel with a newer turn.
    if (this.#turns.get(chat_id) !== turn) return;
    this.#turns.delete(chat_id);
    this.#totals.close(chat_id);
  }

  /** Drops a deleted chat. */
  forget(chatId: string): void {
    this.#allowances.forget('chat', chatId);
  }

  /** The current state of the caps of a turn. */
  of(turn: Spender): CapStatus[] {
    const caps = capsFor(turn.record.parameters, this.#caps);
    if (caps.length === 0) return [];
    const { id, chat_id } = turn.record;
    const used = { model: turn.model.id ?? '', ...turn.model.usage };
    const places = {
      turn: { period: id, sum: () => this.#totals.sumOf([used]) },
      chat: { period: chat_id, sum: () => this.#totals.chat(chat_id) },
    };
    return this.#statuses(places, caps);
  }

  /**
   * The caps of a chat in the form that clients see; undefined if the settings have no caps.
   * @param rows the spend of the chat
   */
  shown(chatId: string, rows: readonly SpendRow[]): SpendCap[] | undefined {
    const turn = this.#turns.get(chatId);
    const statuses = turn ? this.of(turn) : this.#ofChat(chatId, rows);
    return statuses.length === 0 ? undefined : statuses.map(toSpendCap);
  }

  /** The caps of the day and the month, in the form that clients see. */
  shownOfAll(): SpendCap[] | undefined {
    const statuses = this.#statuses({});
    return statuses.length === 0 ? undefined : statuses.map(toSpendCap);
  }

  /**
   * Reserves the possible cost of a side call, as `reserve` does for a provider request.
   * @param chatId the chat that pays; null: none
   * @returns the reason why the call may not be made, if any
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
    const reservation = await this.#room.reserve(
      { turn_id: null, chat_id: chatId },
      statuses,
      estimate,
      signal,
    );
    return 'of' in reservation ? `${reachedWords(reservation)} (${reservation.of.setting}).` : reservation;
  }

  /**
   * Raises a cap by `raiseFor` for all kernels after the user's approval (FLEET-4), and notifies all that wait for
   * this.
   */
  async raise(status: CapStatus): Promise<void> {
    const { fleet } = this.#deps.store;
    if (fleet === null || !isOfAll(status.of)) {
      this.#allowances.raise(status, raiseFor(status));
    } else {
      await fleet.raiseSpend(capKey(status.of, status.period), raiseFor(status));
      await this.#standing();
      this.#deps.shared?.publish({ what: 'caps' });
    }
    this.#room.tell();
  }

  /**
   * Begins the question about a cap; returns a function to call once it has ended. Undefined while another turn on any
   * kernel has the same question open: its answer counts for all.
   */
  beginQuestion(status: CapStatus): Promise<(() => void) | undefined> {
    return this.#questions.begin(status);
  }

  /** Resolves when others may have raised a cap or asked about it. Rejects with the reason of the signal. */
  nextRoom(signal: AbortSignal): Promise<void> {
    return this.#room.more(signal, this.#deps.store.fleet !== null);
  }

  /** Calls back whenever a cap was raised or a provider request has ended; the returned function unsubscribes. */
  onRoom(callback: () => void): () => void {
    return this.#room.onMore(callback);
  }

  /** Whether to warn that the cap is near: true once for each cap and period. */
  tellsNear(status: CapStatus): boolean {
    return this.#allowances.tells(status);
  }

  /** Reads spend and reservations of all kernels, and adds the spend; null if there is only this kernel. */
  async #standing(): Promise<SpendStanding | null> {
    const { fleet } = this.#deps.store;
    if (fleet === null || !this.#caps.some(isOfAll)) return null;
    const standing = await fleet.spendStanding(`${toMonth(this.#today())}-01`);
    this.#totals.raise(standing.days);
    this.#allowances.share(standing.raised);
    return standing;
  }

  #ofChat(chatId: string, rows: readonly SpendRow[]): CapStatus[] {
    return this.#statuses({ chat: { period: chatId, sum: () => this.#totals.sumOf(rows) } });
  }

  /** The caps of the day and the month, and those of the given turn and chat. */
  #statuses(
    places: Partial<Record<'turn' | 'chat', { period: string; sum: () => Sum }>>,
    caps = this.#caps,
  ): CapStatus[] {
    const day = this.#today();
    const month = toMonth(day);
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

  /** Returns the day of a time in the time zone of the settings, as YYYY-MM-DD. @param time milliseconds since 1970 */
  dayOf(time: number): string {
    return this.#calendar.dayOf(time);
  }

  #today(): string {
    return this.dayOf(this.#deps.clock.now());
  }
}

const toSpendCap = ({ of: _, period: __, ...shown }: CapStatus): SpendCap => shown;
