/** Computes the cost of tokens, and sums of usages. */
import type { Model, Price, Usage } from '@chat-kernel/protocol';
import type { TripUsage } from '../ports/index.ts';

export const NOTHING_USED: Usage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
};

/** The usage of a provider request with its cost; null if the price is unknown. */
export function priced(trip: TripUsage, price: Price | null): Usage {
  if (price === null) return { ...trip, cost_usd: null };
  const fresh = trip.prompt_tokens - trip.cached_tokens;
  const cost =
    fresh * price.input +
    trip.cached_tokens * (price.cached_input ?? price.input) +
    trip.completion_tokens * price.output;
  return { ...trip, cost_usd: cost / 1_000_000 };
}

/** The sum of two usages; its cost is unknown if that of either is. */
export function add(a: Usage, b: Usage): Usage {
  return {
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : exact(a.cost_usd + b.cost_usd),
  };
}

/** Removes the error of a binary sum, which differs between orders and databases: it is beyond the 15th digit. */
const exact = (usd: number): number => Number(usd.toPrecision(15));

/** Few answers are longer. The limit of the model itself is so high that hardly two calls would fit under a cap. */
export const LIKELY_OUTPUT_TOKENS = 8192;

/** @param maxOutput the maximum size of the answer, if the call states it */
export function likelyCost({ price, max_output_tokens }: Model, prompt: number, maxOutput?: number): Usage {
  const most = Math.min(maxOutput ?? max_output_tokens, max_output_tokens);
  const completion_tokens = Math.min(most, LIKELY_OUTPUT_TOKENS);
  return priced({ prompt_tokens: prompt, completion_tokens, reasoning_tokens: 0, cached_tokens: 0 }, price);
}
