/** Tokens and money: what turns have used, and what they may use. */
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
    cap: z
      .number()
      .min(0)
      .describe('What may be spent: as the settings say, with what the master has added.'),
    raised_by: z.number().min(0).describe('So much of the cap the master has added.'),
  })
  .meta({ id: 'SpendCap' });
export type SpendCap = z.infer<typeof SpendCap>;

export const Spend = Usage.extend({
  prefix_tokens: Tokens.describe('Tokens of the part of the prompt that is there before any message.'),
  turns: z.int(),
  by_model: z.array(ModelSpend),
  caps: z
    .array(SpendCap)
    .optional()
    .describe('What limits a turn of this chat; absent where the settings cap nothing.'),
}).meta({ id: 'Spend' });
export type Spend = z.infer<typeof Spend>;
