/** Defines the settings of spending limits. */
import { z } from 'zod';

/** Limits the spending `within` a turn, a chat or a period. */
const cap = (within: string) =>
  z
    .strictObject({
      usd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe(`Limit in US dollars ${within}. Null = no limit.`),
      tokens: z
        .int()
        .positive()
        .nullable()
        .default(null)
        .describe(`Limit in tokens ${within}, prompts and answers together. Null = no limit.`),
    })
    .prefault({});

export const SpendSection = z
  .strictObject({
    per_turn: cap('for one turn, including sub-agents'),
    per_chat: cap('for one chat'),
    per_day: cap('per day, including titles and requests outside of turns'),
    per_month: cap('per calendar month'),
  })
  .prefault({});
