/** Defines models and their costs. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';

export const Price = z
  .object({
    input: z.number().min(0),
    output: z.number().min(0),
    cached_input: z.number().min(0).optional().describe('Absent: cached tokens have the price of input.'),
  })
  .describe('USD per million tokens.')
  .meta({ id: 'Price' });
export type Price = z.infer<typeof Price>;

export const Model = z
  .object({
    id: z.string().describe('provider/name'),
    name: z.string(),
    provider: z.string(),
    effort: Effort.nullable().describe('The level of the model. Null: the global level applies.'),
    efforts: z.array(Effort).describe('The supported levels.'),
    context_window: z.int().describe('Tokens.'),
    max_output_tokens: z.int(),
    inputs: z.array(z.enum(['text', 'image'])),
    price: Price.nullable().describe('Null: unknown.'),
  })
  .meta({ id: 'Model' });
export type Model = z.infer<typeof Model>;

export const ModelList = z
  .object({
    models: z.array(Model),
    default_model: z.string().nullable(),
    effort_default: Effort.describe('The global setting llm.reasoning.'),
    context_windows: z.record(z.string(), z.int()).describe('Model id → tokens.'),
  })
  .meta({ id: 'ModelList' });
export type ModelList = z.infer<typeof ModelList>;
