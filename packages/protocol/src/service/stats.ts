/** Defines statistics of the kernel's work, and its state (API-2, API-3). */
import { z } from 'zod';
import { Cost, Timestamp, Tokens } from '../base/primitives.ts';
import { SpendCap, Usage } from '../base/usage.ts';

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
    chats: Count.describe('Includes deleted ones, as do all counts.'),
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
      .describe('Of all chats, including deleted ones, and of calls outside of chats.'),
    cost_usd: Cost,
    rate_limits: z
      .record(
        z.string(),
        z.object({ at: Timestamp, requests: RateLimit.optional(), tokens: RateLimit.optional() }),
      )
      .describe('Provider → its last reported limits.'),
    triage: z.object({
      engaged: Count,
      responded: Count,
      misses: Count.describe('Growth means that triage wakes the module unnecessarily.'),
    }),
    modules: z.record(z.string(), z.enum(['up', 'down'])),
    caps: z
      .array(SpendCap)
      .optional()
      .describe('The limits of the day and the month. Absent if the settings have neither.'),
  })
  .meta({ id: 'Stats' });
export type Stats = z.infer<typeof Stats>;

export const SpendReportBy = z.enum(['day', 'model', 'surface']);
export type SpendReportBy = z.infer<typeof SpendReportBy>;

const SpendRow = Usage.extend({
  turns: Count.describe('Turns that began in these days, of chats that exist.'),
});

/** Spending of some days, by day, model or surface (WEB-12). */
export const SpendReport = z
  .object({
    by: SpendReportBy,
    from: z.iso.date().describe('The first day, in the time zone of `sleep.timezone`.'),
    to: z.iso.date().describe('The last day: today.'),
    rows: z
      .array(
        SpendRow.extend({
          key: z
            .string()
            .describe(
              'The day as YYYY-MM-DD, the id of the model, or the surface: the name of a module, `schedule`, `client` for the page, the terminal and other programs, or `other` for what no turn of an existing chat has spent.',
            ),
        }),
      )
      .describe('Sorted by `key`. Days on which nothing was spent have no row.'),
    total: SpendRow,
  })
  .meta({ id: 'SpendReport' });
export type SpendReport = z.infer<typeof SpendReport>;

export const TriageReport = z
  .object({
    engaged: Count.max(1_000_000_000).describe('Messages that triage engaged.'),
    responded: Count.max(1_000_000_000).describe('Engaged messages that got a reply.'),
  })
  .meta({ id: 'TriageReport' });
export type TriageReport = z.infer<typeof TriageReport>;

export const Triage = Stats.shape.triage.meta({ id: 'Triage' });
export type Triage = z.infer<typeof Triage>;

export const Health = z.object({ status: z.enum(['ok', 'ready', 'not_ready']) }).meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;
