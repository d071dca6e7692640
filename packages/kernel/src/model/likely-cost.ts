/** Estimates the cost of a call to a model before it is made. */
import type { Model, Usage } from '@chat-kernel/protocol';
import { priced } from './pricing.ts';

/** Few answers are longer. The limit of the model itself is so high that hardly two calls would fit under a cap. */
export const LIKELY_OUTPUT_TOKENS = 8192;

/** @param maxOutput the maximum size of the answer, if the call states it */
export function likelyCost({ price, max_output_tokens }: Model, prompt: number, maxOutput?: number): Usage {
  const most = Math.min(maxOutput ?? max_output_tokens, max_output_tokens);
  const completion_tokens = Math.min(most, LIKELY_OUTPUT_TOKENS);
  return priced({ prompt_tokens: prompt, completion_tokens, reasoning_tokens: 0, cached_tokens: 0 }, price);
}
