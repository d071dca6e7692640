/** How a request to a client ended (EV-13). */
import { z } from 'zod';
import { ResolutionReason } from '../items/client-op.ts';

export const RequestKind = z.enum(['op', 'question']);
export type RequestKind = z.infer<typeof RequestKind>;

/** The fields of `request_resolved`, and what an answer that comes too late is told. */
export const resolutionShape = {
  id: z.string().describe('Of the operation, or of the tool call.'),
  kind: RequestKind.describe('An extra tool call is an op.'),
  reason: ResolutionReason,
  question: z.int().optional().describe('The index of the question.'),
  decision: z.string().optional(),
};
export const Resolution = z.object(resolutionShape).meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;
