/** Caps on spending. */
import { z } from 'zod';

/** A cap on the spend `within` a turn, a chat or a time; null: no cap. */
const cap = (within: string) =>
  z
    .strictObject({
      usd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe(`Most US dollars ${within}; null = no cap.`),
      tokens: z
        .int()
        .positive()
        .nullable()
        .default(null)
        .describe(`Most tokens ${within}, of prompts and answers together; null = no cap.`),
    })
    .prefault({});

export const SpendSection = z
  .strictObject({
    per_turn: cap('in one turn, its sub-agents included'),
    per_chat: cap('in one chat'),
    per_day: cap('in a day, one-off calls and titles included'),
    per_month: cap('in a calendar month'),
    timezone: z
      .string()
      .nullable()
      .default(null)
      .describe('Where days and months begin, such as Europe/Berlin; null = the time zone of the machine.'),
  })
  .prefault({});
