/** An operation on a client's machine; stands only in the live stream (ITEM-5). */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { itemOf } from './common.ts';

export const ResolutionReason = z.enum(['answered', 'expired', 'turn_ended', 'cancelled']);
export type ResolutionReason = z.infer<typeof ResolutionReason>;

export const ClientOpItem = itemOf('client_op', {
  op_id: z.string(),
  action: z.string(),
  params: JsonObject,
  decisions: z.array(z.string()).optional(),
  decision: z.string().optional(),
  resolution: z.object({ reason: ResolutionReason }).optional(),
  agent: z.string().optional(),
}).meta({ id: 'ClientOpItem' });
