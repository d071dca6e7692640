/** An operation on a client's machine. It exists in the live stream alone, not in history (ITEM-5). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { ResolutionReason } from '../base/resolution.ts';
import { itemOf } from './common.ts';

export const ClientOpItem = itemOf('client_op', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()).optional(),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
  hands: z
    .string()
    .nullable()
    .optional()
    .describe("On which machine that stands by; null: on the kernel's own."),
  sandbox: z.enum(['bwrap', 'none']).optional().describe('What holds an operation of the kernel itself.'),
}).meta({ id: 'ClientOpItem' });
