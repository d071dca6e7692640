/** Defines an operation on a client's machine. It is only in the live stream, not in history (ITEM-5). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { ResolutionReason } from '../base/resolution.ts';
import { itemSchema } from './common.ts';

export const ClientOpItem = itemSchema('client_op', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()).optional(),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
  hands: z
    .string()
    .optional()
    .describe('The connected machine that runs it; absent: the client of the turn.'),
}).meta({ id: 'ClientOpItem' });
