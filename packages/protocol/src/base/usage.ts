/** Defines tokens and costs: the usage of turns, and their limits. */
import { z } from 'zod';
import { Cost, Tokens } from './primitives.ts';

export const Usage = z
  .object({
    prompt_tokens: Tokens,
    completion_tokens: Tokens,
    reasoning_tokens: Tokens.describe('Part of completion_tokens, not an addition to it.'),
    cached_tokens: Tokens.describe('Part of prompt_tokens: read from the provider’s cache.'),
    cost_usd: Cost,
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;

export const ModelSpend = Usage.extend({ model: z.string(), turns: z.int() }).meta({ id: 'ModelSpend' });
export type ModelSpend = z.infer<typeof ModelSpend>;

/** A cap on spending from the settings, and what has been spent under it. */
export const SpendCap = z
  .object({
    scope: z.enum(['turn', 'chat', 'day', 'month']),
    unit: z.enum(['usd', 'tokens']),
    spent: z.number().min(0),
    cap: z.number().min(0).describe('The limit: the setting plus what the master added.'),
    raised_by: z.number().min(0).describe('The part of the limit that the master added.'),
  })
  .meta({ id: 'SpendCap' });
export type SpendCap = z.infer<typeof SpendCap>;

export const Spend = Usage.extend({
  prefix_tokens: Tokens.describe('Tokens of the prompt before the first message.'),
  turns: z.int(),
  by_model: z.array(ModelSpend),
  caps: z
    .array(SpendCap)
    .optional()
    .describe('The spending limits of a turn in this chat. Absent if the settings have no limits.'),
}).meta({ id: 'Spend' });
export type Spend = z.infer<typeof Spend>;
