/** Defines the caps of the settings and the texts about them. */
import type { Settings, SpendCap } from '@chat-kernel/protocol';
import type { TurnParameters } from '../ports/index.ts';

export interface Cap extends Pick<SpendCap, 'scope' | 'unit'> {
  /** The amount in the settings, in USD or tokens. */
  amount: number;
  setting: string;
}

/** The data of a model that caps need. */
export interface PricedModel {
  id: string;
  /** Null: unknown. */
  price: object | null;
  /** The setting that defines its price. */
  price_setting?: string;
}

/** A cap in one of its periods, with the spend in it. */
export interface CapStatus extends SpendCap {
  of: Cap;
  /** The id of the turn or the chat, the day as YYYY-MM-DD, or the month as YYYY-MM. */
  period: string;
}

const SCOPES = ['turn', 'chat', 'day', 'month'] as const;
const UNITS = ['usd', 'tokens'] as const;
/** Each approval of the user adds this share of the cap, or the minimum that makes a difference. */
const RAISE = 1 / 5;
const MIN_AMOUNTS = { usd: 0.01, tokens: 1000 } as const;
/** The share of a cap from which it is considered near. */
const NEAR = 0.8;

export const listCaps = (settings: Settings['spend']): Cap[] =>
  SCOPES.flatMap(scope =>
    UNITS.flatMap(unit => {
      const amount = settings[`per_${scope}`][unit];
      return amount === null ? [] : [{ scope, unit, amount, setting: `spend.per_${scope}.${unit}` }];
    }),
  );

/** The caps of a turn: if the turn has a cap as well, the lower one counts. */
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

/** The problem with a model whose price is unknown: a cap in USD would have no effect. Null if there is no problem. */
export function priceProblem(
  caps: readonly Cap[],
  { id, price, price_setting = 'llm.models[].price' }: PricedModel,
): string | null {
  const inert = price === null ? caps.find(({ unit }) => unit === 'usd') : undefined;
  if (inert === undefined) return null;
  return `The model ${id} has no price, so ${inert.setting} cannot be enforced. Set ${price_setting} (0 if it is free).`;
}

/** Whether all spend counts for the cap, including spend outside of chats. */
export const isOfAll = ({ scope }: Cap): boolean => scope === 'day' || scope === 'month';

/** The key of a cap in one of its periods. Databases store it. */
export const capKey = ({ scope, unit }: Pick<Cap, 'scope' | 'unit'>, period: string): string =>
  `${scope} ${unit} ${period}`;

/** The prefix of the id of a request that asks whether a cap may be exceeded. */
export const CAP_REQUEST = 'spend_cap_';
export const isCapRequest = (id: string): boolean => id.startsWith(CAP_REQUEST);

export const isReached = ({ spent, cap }: SpendCap): boolean => spent >= cap;
export const isNear = ({ spent, cap }: SpendCap): boolean => spent >= cap * NEAR;

/** The amount that an approval of the user adds: as many fifths of the cap as needed to continue. */
export function raiseFor({ spent, cap, of: { amount, unit } }: CapStatus): number {
  const step = Math.max(amount * RAISE, MIN_AMOUNTS[unit]);
  let steps = Math.floor(Math.max(0, spent - cap) / step) + 1;
  // Sums of fractional dollars are not exact, so the result is checked.
  while (spent >= cap + step * steps) steps++;
  return unit === 'tokens' ? Math.ceil(step * steps) : step * steps;
}

/** A sentence such as "80 % of today's 5.00 USD is spent: 4.12 USD." */
export const nearWords = (near: CapStatus): string =>
  `${NEAR * 100} % of ${whose(near)} is spent: ${formatAmount(near, near.spent)}.`;

/** A sentence such as "All of today's 5.00 USD is spent: 5.12 USD", without the period. */
export const reachedWords = (reached: CapStatus): string =>
  `All of ${whose(reached)} is spent: ${formatAmount(reached, reached.spent)}`;

export const formatAmount = ({ unit }: Pick<Cap, 'unit'>, amount: number): string =>
  unit === 'usd' ? `${dollars(amount)} USD` : `${Math.round(amount)} tokens`;

const PERIODS = { turn: "this turn's", chat: "this chat's", day: "today's", month: "this month's" } as const;

const whose = (status: CapStatus): string => `${PERIODS[status.scope]} ${formatAmount(status, status.cap)}`;

/** Dollars with cents; amounts below ten cents with enough digits to show a difference. */
const dollars = (amount: number): string =>
  amount >= 0.1 || amount === 0 ? amount.toFixed(2) : String(Number(amount.toPrecision(3)));
