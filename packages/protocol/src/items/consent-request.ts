/**
 * Defines an operation that one client decides about and another party executes (CONSENT-1). It is only in the live
 * stream, not in history.
 */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { ResolutionReason } from '../base/resolution.ts';
import { itemSchema } from './common.ts';

export const ConsentRequestItem = itemSchema('consent_request', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()),
  reason: z.string().describe('Why the kernel asks, in one sentence.'),
  outside: z.array(z.string()).describe('The sources from outside that the turn has read.'),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
  hands: z
    .string()
    .nullable()
    .optional()
    .describe('The connected machine that runs it. Null: the kernel or one of its modules.'),
  sandbox: z
    .enum(['bwrap', 'sandbox-exec', 'none'])
    .optional()
    .describe(
      'The sandbox that limits the operation. none: no sandbox. Absent: not known, or it needs none.',
    ),
}).meta({ id: 'ConsentRequestItem' });
