/** The caps of the settings, and the words by which people hear of one. */
import type { Settings, SpendCap } from '@chat-kernel/protocol';
import type { TurnParameters } from '../ports/index.ts';

export interface Cap extends Pick<SpendCap, 'scope' | 'unit'> {
  /** The amount in the settings, in USD or tokens. */
  amount: number;
  /** The name of the setting. */
  setting: string;
}

/** A model, as far as its price concerns caps. */
export interface PricedModel {
  id: string;
  /** Null: unknown. */
  price: object | null;
  /** The setting that gives it one. */
  price_setting?: string;
}

/** A cap in one of its periods, with what was spent there. */
export interface CapStatus extends SpendCap {
  of: Cap;
  /** The turn or the chat by its id, the day as YYYY-MM-DD, the month as YYYY-MM. */
  period: string;
}

const SCOPES = ['turn', 'chat', 'day', 'month'] as const;
const UNITS = ['usd', 'tokens'] as const;
/** Each yes of the master adds this share of the cap, or the least that makes a difference. */
const RAISE = 1 / 5;
const LEAST = { usd: 0.01, tokens: 1000 } as const;
/** The share of a cap from which on it is near. */
const NEAR = 0.8;

export const capsOf = (settings: Settings['spend']): Cap[] =>
  SCOPES.flatMap(scope =>
    UNITS.flatMap(unit => {
      const amount = settings[`per_${scope}`][unit];
      return amount === null ? [] : [{ scope, unit, amount, setting: `spend.per_${scope}.${unit}` }];
    }),
  );

/** The caps of a turn: where it has one of its own, the lower one counts. */
export function capsFor(
  parameters: Pick<TurnParameters, 'max_cost_usd'> | undefined,
  caps: readonly Cap[],
): readonly Cap[] {
  const amount = parameters?.max_cost_usd;
  if (amount === undefined) return caps;
  const isSame = ({ scope, unit }: Cap) => scope === 'turn' && unit === 'usd';
  if (caps.some(cap => isSame(cap) && cap.amount <= amount)) return caps;
  const own: Cap = { scope: 'turn', unit: 'usd', amount, setting: 'max_cost_usd of its schedule' };
  return [own, ...caps.filter(cap => !isSame(cap))];
}

/** The problem with a model whose price nobody knows: a cap in USD would hold nothing. Null where there is none. */
export function priceProblem(
  caps: readonly Cap[],
  { id, price, price_setting = 'llm.models[].price' }: PricedModel,
): string | null {
  const inert = price === null ? caps.find(({ unit }) => unit === 'usd') : undefined;
  if (inert === undefined) return null;
  return `The model ${id} has no price, so ${inert.setting} cannot be held: give it ${price_setting} (0 if it costs nothing).`;
}

/** Whether all spending counts for the cap, that outside of chats included. */
export const isOfAll = ({ scope }: Cap): boolean => scope === 'day' || scope === 'month';

/** The beginning of the id of a request that asks whether a cap may be passed. */
export const CAP_REQUEST = 'spend_cap_';
export const isCapRequest = (id: string): boolean => id.startsWith(CAP_REQUEST);

export const isReached = ({ spent, cap }: SpendCap): boolean => spent >= cap;
export const isNear = ({ spent, cap }: SpendCap): boolean => spent >= cap * NEAR;

/** The amount that a yes of the master adds: as many fifths of the cap as it takes to go on at all. */
export function raiseFor({ spent, cap, of: { amount, unit } }: CapStatus): number {
  const step = Math.max(amount * RAISE, LEAST[unit]);
  let steps = Math.floor(Math.max(0, spent - cap) / step) + 1;
  // Sums of fractions of dollars are not exact, so the result is checked.
  while (spent >= cap + step * steps) steps++;
  return unit === 'tokens' ? Math.ceil(step * steps) : step * steps;
}

/** A sentence such as "80 % of today's 5.00 USD is spent: 4.12 USD." */
export const nearWords = (near: CapStatus): string =>
  `${NEAR * 100} % of ${whose(near)} is spent: ${amountOf(near, near.spent)}.`;

/** A sentence such as "All of today's 5.00 USD is spent: 5.12 USD", without its full stop. */
export const reachedWords = (reached: CapStatus): string =>
  `All of ${whose(reached)} is spent: ${amountOf(reached, reached.spent)}`;

export const amountOf = ({ unit }: Pick<Cap, 'unit'>, amount: number): string =>
  unit === 'usd' ? `${dollars(amount)} USD` : `${Math.round(amount)} tokens`;

const PERIODS = { turn: "this turn's", chat: "this chat's", day: "today's", month: "this month's" } as const;

const whose = (status: CapStatus): string => `${PERIODS[status.scope]} ${amountOf(status, status.cap)}`;

/** Dollars with cents; less than ten cents as exactly as it takes to see a difference. */
const dollars = (amount: number): string =>
  amount >= 0.1 || amount === 0 ? amount.toFixed(2) : String(Number(amount.toPrecision(3)));
