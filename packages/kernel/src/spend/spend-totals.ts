/**
 * Keeps sums of spend in memory: by day, and for chats with running turns. Provider requests need no database query.
 */
import type { Model, Usage } from '@chat-kernel/protocol';
import { priced } from '../model/pricing.ts';
import type { DaySpend, SpendRow } from '../ports/index.ts';

export interface Sum {
  usd: number;
  /** Tokens of prompts and answers together, as billed. */
  tokens: number;
}

/** The price of a model by its id; null if unknown. */
type PriceOf = (model: string) => Model['price'];

const NOTHING: Sum = { usd: 0, tokens: 0 };

export class SpendTotals {
  readonly #priceOf: PriceOf;
  readonly #days = new Map<string, Sum>();
  readonly #chats = new Map<string, Sum>();

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  /** Adds the spend of the days so far. @param rows all spend of this month */
  load(rows: readonly DaySpend[]): void {
    for (const { day, ...row } of rows) this.#addToDay(day, this.#sumOf(row));
  }

  /**
   * Adds what others have spent since. Spend of this kernel that is not stored yet stays counted: a sum never falls.
   * @param rows all stored spend of this month
   */
  raise(rows: readonly DaySpend[]): void {
    const stored = new SpendTotals(this.#priceOf);
    stored.load(rows);
    for (const [day, sum] of stored.#days) {
      const known = this.day(day);
      this.#days.set(day, { usd: Math.max(known.usd, sum.usd), tokens: Math.max(known.tokens, sum.tokens) });
    }
  }

  /** Tracks a chat from now on. @param rows its spend so far */
  open(chatId: string, rows: readonly SpendRow[]): void {
    this.#chats.set(chatId, this.sumOf(rows));
  }

  close(chatId: string): void {
    this.#chats.delete(chatId);
  }

  add(used: Usage & { model: string }, day: string, chatId: string | null): void {
    const sum = this.#sumOf(used);
    this.#addToDay(day, sum);
    const chat = chatId === null ? undefined : this.#chats.get(chatId);
    if (chatId !== null && chat) this.#chats.set(chatId, plus(chat, sum));
  }

  day(day: string): Sum {
    return this.#days.get(day) ?? NOTHING;
  }

  /** The sum of the days of a month. */
  month(month: string): Sum {
    return [...this.#days]
      .filter(([day]) => toMonth(day) === month)
      .reduce((sum, [, day]) => plus(sum, day), NOTHING);
  }

  chat(chatId: string): Sum {
    return this.#chats.get(chatId) ?? NOTHING;
  }

  sumOf(rows: readonly (Usage & { model: string })[]): Sum {
    return rows.reduce((sum, row) => plus(sum, this.#sumOf(row)), NOTHING);
  }

  #addToDay(day: string, sum: Sum): void {
    // The caps need no data from before this month.
    if (!this.#days.has(day))
      for (const old of this.#days.keys()) if (toMonth(old) < toMonth(day)) this.#days.delete(old);
    this.#days.set(day, plus(this.day(day), sum));
  }

  /**
   * The sum of one row. Tokens that were spent while their price was unknown get the current price; without any price
   * they cost nothing here.
   */
  #sumOf({ model, ...used }: Usage & { model: string }): Sum {
    const tokens = used.prompt_tokens + used.completion_tokens;
    return { usd: used.cost_usd ?? priced(used, this.#priceOf(model)).cost_usd ?? 0, tokens };
  }
}

const plus = (a: Sum, b: Sum): Sum => ({ usd: a.usd + b.usd, tokens: a.tokens + b.tokens });

export interface Calendar {
  /** The day, as YYYY-MM-DD. @param time milliseconds since 1970 */
  dayOf(time: number): string;
}

/** The month of a day, as YYYY-MM. */
export const toMonth = (day: string): string => day.slice(0, 7);

/** Computes days from midnight to midnight in a time zone. @param timezone IANA name; null: that of the machine */
export const calendarIn = (timezone: string | null): Calendar =>
  timezone === null ? { dayOf: dayHere } : { dayOf: dayIn(timezone) };

/** Works without `Intl`, whose data take 8 MB of memory that most kernels do not need for anything else. */
function dayHere(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dayIn(timezone: string): Calendar['dayOf'] {
  const format = new Intl.DateTimeFormat('en', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: timezone,
  });
  return time => {
    const parts = format.formatToParts(time);
    const of = (type: string) => parts.find(part => part.type === type)?.value;
    return `${of('year')}-${of('month')}-${of('day')}`;
  };
}
