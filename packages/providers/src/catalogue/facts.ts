/** Short helper functions for the rows of the catalogue. */
import type { Effort, Model, Price } from '@chat-kernel/protocol';

/** The facts of a model that do not depend on its host. */
export type ModelFacts = Pick<
  Model,
  'name' | 'context_window' | 'max_output_tokens' | 'efforts' | 'inputs' | 'price'
>;

export const ALL_EFFORTS: Effort[] = ['off', 'low', 'mid', 'high'];
export const ALWAYS_THINKS: Effort[] = ['low', 'mid', 'high'];
export const NEVER_THINKS: Effort[] = ['off'];

/**
 * Creates a row: title, window and output limit in tokens, efforts, price. The model accepts images unless `textOnly`.
 */
export const model = (
  name: string,
  context_window: number,
  max_output_tokens: number,
  efforts: Effort[],
  price: Price | null,
): ModelFacts => ({ name, context_window, max_output_tokens, efforts, inputs: ['text', 'image'], price });

export const textOnly = (facts: ModelFacts): ModelFacts => ({ ...facts, inputs: ['text'] });

/** Creates a price in USD per million tokens; without the third, cached input costs as much as other input. */
export const usd = (input: number, output: number, cached_input?: number): Price => ({
  input,
  output,
  ...(cached_input !== undefined && { cached_input }),
});
