/**
 * Spending, and the caps on it. Caps are looked at before each trip to the provider, and never cut one that runs: so
 * a cap is passed by at most one trip of each run that is under way.
 */
import { KernelError, type Model, type Settings, type SpendCap, type Usage } from '@chat-kernel/protocol';
import {
  type Clock,
  type DaySpend,
  ModelError,
  type Models,
  type SpendRow,
  type SpendStore,
  type Store,
  type TurnParameters,
} from '../ports/index.ts';
import { Allowances } from './allowances.ts';
import { type Calendar, calendarIn, monthOf } from './calendar.ts';
import { type Cap, type CapStatus, capsOf, isOfAll, isReached, raiseFor, reachedWords } from './caps.ts';
import { SpendTotals, type Sum } from './spend-totals.ts';

/** A turn, as far as spending concerns it. */
interface Spender {
  readonly record: { id: string; chat_id: string; parameters?: Pick<TurnParameters, 'max_cost_usd'> };
  /** The id of the model; null until the turn begins. */
  readonly model: string | null;
  readonly usage: Usage;
}

/** A model, as far as its price concerns caps. */
interface PricedModel extends Pick<Model, 'id'> {
  /** Null: unknown. */
  price: object | null;
  /** The setting that gives it one. */
  price_setting?: string;
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
  clock: Pick<Clock, 'now'>;
}

export class Spending {
  readonly #deps: SpendingDeps;
  readonly #caps: readonly Cap[];
  readonly #calendar: Calendar;
  readonly #totals: SpendTotals;
  readonly #allowances = new Allowances();
  /** The running turn of each chat. */
  readonly #turns = new Map<string, Spender>();
  readonly #waiting = new Set<() => void>();

  constructor(deps: SpendingDeps, settings: Settings['spend']) {
    this.#deps = deps;
    this.#caps = capsOf(settings);
    this.#calendar = calendarIn(settings.timezone);
    this.#totals = new SpendTotals(model => deps.models.find(model)?.record.price ?? null);
  }

  /** Reads the spend of this month; called once, before anything is spent. */
  async load(): Promise<void> {
    if (!this.#caps.some(isOfAll)) return;
    this.#totals.load(await this.#deps.store.spend.listDays(`${monthOf(this.#today())}-01`));
  }

  /** Reads what other kernels on the database have spent in this month; called before each trip. */
  async refresh(): Promise<void> {
    if (this.#deps.store.fleet === null || !this.#caps.some(isOfAll)) return;
    this.#totals.raise(await this.#deps.store.spend.listDays(`${monthOf(this.#today())}-01`));
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
    const problem = priceProblem(capsFor(turn, this.#caps), model);
    if (problem !== null) throw new ModelError('spend_cap', problem, false);
    const { chat_id } = turn.record;
    if (this.#caps.some(({ scope }) => scope === 'chat')) {
      this.#totals.open(chat_id, await this.#deps.store.spend.list(chat_id));
    }
    this.#turns.set(chat_id, turn);
  }

  /** Forgets a turn that is over, however it ended. */
  end({ record: { id, chat_id } }: Spender): void {
    this.#turns.delete(chat_id);
    this.#totals.close(chat_id);
    this.#allowances.forget('turn', id);
  }

  /** Forgets a deleted chat. */
  forget(chatId: string): void {
    this.#allowances.forget('chat', chatId);
  }

  /** The caps of a turn as they stand now. */
  of(turn: Spender): CapStatus[] {
    const caps = capsFor(turn, this.#caps);
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
   * The reason why a side call may not be made now; null: it may.
   * @param chatId the chat that pays; null: none does
   */
  async sideRefusal(model: PricedModel, chatId: string | null): Promise<string | null> {
    if (this.#caps.length === 0) return null;
    const caps = this.#caps.filter(({ scope }) => scope !== 'turn' && (scope !== 'chat' || chatId !== null));
    const problem = priceProblem(caps, model);
    if (problem !== null) return problem;
    const statuses =
      chatId === null ? this.#statuses({}) : this.#ofChat(chatId, await this.#deps.store.spend.list(chatId));
    const reached = statuses.find(isReached);
    return reached === undefined ? null : `${reachedWords(reached)} (${reached.of.setting}).`;
  }

  /** Lets a side call of no chat pass. @throws KernelError spend_cap where a cap is reached */
  async checkSideCall(model: PricedModel): Promise<void> {
    const refusal = await this.sideRefusal(model, null);
    if (refusal !== null) throw new KernelError('spend_cap', refusal);
  }

  /** Raises a cap by `raiseFor`, as the master has allowed; all that wait for this are called back. */
  raise(status: CapStatus): void {
    this.#allowances.raise(status, raiseFor(status));
    for (const told of [...this.#waiting]) told();
  }

  /** Calls back whenever a cap was raised; the returned function takes that back. */
  onRaise(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => void this.#waiting.delete(callback);
  }

  /** Whether people are to be told that the cap is near: true once for each cap and period. */
  tellsNear(status: CapStatus): boolean {
    return this.#allowances.tells(status);
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

/** The caps of a turn: where it has one of its own, the lower one counts. */
function capsFor({ record: { parameters } }: Spender, caps: readonly Cap[]): readonly Cap[] {
  const amount = parameters?.max_cost_usd;
  if (amount === undefined) return caps;
  const isSame = ({ scope, unit }: Cap) => scope === 'turn' && unit === 'usd';
  if (caps.some(cap => isSame(cap) && cap.amount <= amount)) return caps;
  const own: Cap = { scope: 'turn', unit: 'usd', amount, setting: 'max_cost_usd of its schedule' };
  return [own, ...caps.filter(cap => !isSame(cap))];
}

/** The problem with a model whose price nobody knows: a cap in USD would hold nothing. Null where there is none. */
function priceProblem(
  caps: readonly Cap[],
  { id, price, price_setting = 'llm.models[].price' }: PricedModel,
): string | null {
  const inert = price === null ? caps.find(({ unit }) => unit === 'usd') : undefined;
  if (inert === undefined) return null;
  return `The model ${id} has no price, so ${inert.setting} cannot be held: give it ${price_setting} (0 if it costs nothing).`;
}

const shownOf = ({ of: _, period: __, ...shown }: CapStatus): SpendCap => shown;
