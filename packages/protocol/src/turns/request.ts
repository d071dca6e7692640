/** Defines requests of the kernel to its clients: open requests, and the answers to them. */
import { z } from 'zod';
import {
  boundedObject,
  boundedText,
  MAX_STRING,
  ModelText,
  NameText,
  OutputText,
  SectionList,
} from '../base/bounded.ts';
import { Id, Timestamp } from '../base/primitives.ts';
import { RequestKind, Resolution } from '../base/resolution.ts';
import { Event } from './event.ts';

/** Replaces chat and turn if the kernel itself asks, so that clients that know only chats can answer, too. */
export const NOWHERE_ID = '00000000-0000-0000-0000-000000000000';

/** The id of a request, under either of its two names. */
const idShape = { id: NameText.min(1).optional(), op_id: NameText.min(1).optional() };
const hasId = ({ id, op_id }: { id?: string | undefined; op_id?: string | undefined }): boolean =>
  id !== undefined || op_id !== undefined;
const NEEDS_ID = { path: ['id'], message: 'expected the id of a request' };

export const OpsResult = z
  .object({
    ...idShape,
    result: z.union([OutputText, boundedObject(10_000)]).optional(),
    error: ModelText.optional().describe('The operation failed. The model reads this text.'),
    decision: NameText.optional().describe('One of the decisions that the request offered.'),
    client: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'With a decision: the name of the client in which it was made, for the history of decisions.',
      ),
    prefix: boundedText(100_000)
      .optional()
      .describe('With allow_prefix: whole words from the start of the command, chosen by the owner.'),
    blocks: SectionList.optional().describe('Several results with headings; preferred over result.'),
    question: z.int().min(0).optional().describe('The index of the answered question.'),
    answer: ModelText.optional().describe('The answer to a question.'),
  })
  .refine(hasId, NEEDS_ID)
  .refine(
    ({ result, error, decision, blocks, answer }) =>
      [result, error, decision, blocks, answer].some(value => value !== undefined),
    { path: ['result'], message: 'expected one of result, blocks, error, decision, answer' },
  )
  .meta({
    id: 'OpsResult',
    description: 'Requires `id` or `op_id`, and at least one of result, blocks, error, decision and answer.',
  });
export type OpsResult = z.infer<typeof OpsResult>;

export const ResolvedRequest = z
  .object({ ok: z.literal(true), resolution: Resolution })
  .meta({ id: 'ResolvedRequest' });
export type ResolvedRequest = z.infer<typeof ResolvedRequest>;

export const OpsProgress = z
  .object({ ...idShape, output: boundedText(MAX_STRING).describe('A snapshot. Its last 8 KiB are shown.') })
  .refine(hasId, NEEDS_ID)
  .meta({ id: 'OpsProgress', description: 'Requires `id` or `op_id`.' });
export type OpsProgress = z.infer<typeof OpsProgress>;

export const ProgressTaken = z.object({ ok: z.literal(true) }).meta({ id: 'ProgressTaken' });
export type ProgressTaken = z.infer<typeof ProgressTaken>;

export const PendingRequest = z
  .object({
    id: z.string(),
    kind: RequestKind,
    chat_id: Id.describe('The nil UUID if the kernel asks outside of chats. Send the answer to the same id.'),
    turn_id: Id.describe('The nil UUID if the kernel asks outside of chats.'),
    question: z.int().optional().describe('The index of the question in the call; only for questions.'),
    agent: z.string().optional().describe('The asking sub-agent.'),
    opened_at: Timestamp,
    expires_at: Timestamp,
    event: Event.describe('The event as in the stream of the turn; for a question, its tool_call.'),
  })
  .meta({ id: 'PendingRequest' });
export type PendingRequest = z.infer<typeof PendingRequest>;

export const RequestList = z
  .object({ requests: z.array(PendingRequest).describe('Oldest first.') })
  .meta({ id: 'RequestList' });
export type RequestList = z.infer<typeof RequestList>;
