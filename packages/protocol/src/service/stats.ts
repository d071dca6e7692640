/** Counts of what the kernel has done, and its state (API-2, API-3). */
import { z } from 'zod';
import { Cost, Timestamp, Tokens } from '../base/primitives.ts';
import { SpendCap } from '../base/usage.ts';

const Count = z.int().min(0);

const RateLimit = z.object({
  limit: z.number().nullable(),
  remaining: z.number().nullable(),
  reset_at: z.string().nullable(),
});

export const Stats = z
  .object({
    version: z.string(),
    uptime_s: z.number().min(0),
    chats: Count.describe('With those that were deleted, here as in all counts.'),
    messages: Count,
    turns: z.object({
      queued: Count,
      sleeping: Count,
      running: Count,
      completed: Count,
      failed: Count,
      cancelled: Count,
    }),
    tokens: z
      .object({
        prompt_tokens: Tokens,
        completion_tokens: Tokens,
        reasoning_tokens: Tokens.describe('Part of completion_tokens, not an addition to it.'),
        cached_tokens: Tokens.describe('Part of prompt_tokens.'),
      })
      .describe('Of all chats, also deleted ones, and of all that belonged to none.'),
    cost_usd: Cost,
    rate_limits: z
      .record(
        z.string(),
        z.object({ at: Timestamp, requests: RateLimit.optional(), tokens: RateLimit.optional() }),
      )
      .describe('Provider → what it last said.'),
    triage: z.object({
      engaged: Count,
      responded: Count,
      misses: Count.describe('Growth means that a judge wakes its module in vain.'),
    }),
    modules: z.record(z.string(), z.enum(['up', 'down'])),
    caps: z
      .array(SpendCap)
      .optional()
      .describe('Of the day and the month; absent where the settings cap neither.'),
  })
  .meta({ id: 'Stats' });
export type Stats = z.infer<typeof Stats>;

export const TriageReport = z
  .object({
    engaged: Count.max(1_000_000_000).describe('Messages that the judge engaged.'),
    responded: Count.max(1_000_000_000).describe('Those of them that a reply went to.'),
  })
  .meta({ id: 'TriageReport' });
export type TriageReport = z.infer<typeof TriageReport>;

export const Triage = Stats.shape.triage.meta({ id: 'Triage' });
export type Triage = z.infer<typeof Triage>;
