/** Defines requests to a client, and how they end (EV-13). */
import { z } from 'zod';

export const RequestKind = z.enum(['op', 'question']);
export type RequestKind = z.infer<typeof RequestKind>;

export const ResolutionReason = z.enum(['answered', 'expired', 'turn_ended', 'cancelled']);
export type ResolutionReason = z.infer<typeof ResolutionReason>;

/** The fields of `request_resolved`, and of the error that answers a late response. */
export const resolutionShape = {
  id: z.string().describe('The id of the operation or of the tool call.'),
  kind: RequestKind.describe('An extra tool call has the kind op.'),
  reason: ResolutionReason,
  question: z.int().optional().describe('The index of the question.'),
  decision: z.string().optional(),
};
export const Resolution = z.object(resolutionShape).meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;
