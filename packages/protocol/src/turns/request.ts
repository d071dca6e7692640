/** Requests of the kernel to its clients: those that are open, and the answers to them. */
import { z } from 'zod';
import { Id, JsonObject, Timestamp } from '../base/primitives.ts';
import { RequestKind, Resolution } from '../base/resolution.ts';
import { SectionList } from '../base/sections.ts';
import { Event } from './event.ts';

/** Stands for chat and turn where the kernel itself asks: clients that know only chats can answer all the same. */
export const NOWHERE_ID = '00000000-0000-0000-0000-000000000000';

/** The id of a request, under either of its two names. */
const idShape = { id: z.string().min(1).optional(), op_id: z.string().min(1).optional() };
const hasId = ({ id, op_id }: { id?: string | undefined; op_id?: string | undefined }): boolean =>
  id !== undefined || op_id !== undefined;
const NEEDS_ID = { path: ['id'], message: 'expected the id of a request' };

export const OpsResult = z
  .object({
    ...idShape,
    result: z.union([z.string(), JsonObject]).optional(),
    error: z.string().optional().describe('It did not work: the model reads why.'),
    decision: z.string().optional().describe('One of those that the request offered.'),
    prefix: z
      .string()
      .optional()
      .describe('With allow_prefix: whole words from the beginning of the command, which the owner picked.'),
    blocks: SectionList.optional().describe('Several results, each under its heading; preferred to result.'),
    question: z.int().min(0).optional().describe('The index of the question that this answers.'),
    answer: z.string().optional().describe('To a question.'),
  })
  .refine(hasId, NEEDS_ID)
  .refine(
    ({ result, error, decision, blocks, answer }) =>
      [result, error, decision, blocks, answer].some(value => value !== undefined),
    { path: ['result'], message: 'expected one of result, blocks, error, decision, answer' },
  )
  .meta({
    id: 'OpsResult',
    description: 'With `id` or `op_id`, and one at least of result, blocks, error, decision and answer.',
  });
export type OpsResult = z.infer<typeof OpsResult>;

export const ResolvedRequest = z
  .object({ ok: z.literal(true), resolution: Resolution })
  .meta({ id: 'ResolvedRequest' });
export type ResolvedRequest = z.infer<typeof ResolvedRequest>;

export const OpsProgress = z
  .object({ ...idShape, output: z.string().describe('A snapshot; its last 8 KiB are shown.') })
  .refine(hasId, NEEDS_ID)
  .meta({ id: 'OpsProgress', description: 'With `id` or `op_id`.' });
export type OpsProgress = z.infer<typeof OpsProgress>;

export const ProgressTaken = z.object({ ok: z.literal(true) }).meta({ id: 'ProgressTaken' });

export const PendingRequest = z
  .object({
    id: z.string(),
    kind: RequestKind,
    chat_id: Id.describe(
      'The nil UUID where the kernel itself asks, in no chat; the answer goes there, too.',
    ),
    turn_id: Id.describe('The nil UUID where the kernel itself asks.'),
    question: z.int().optional().describe('Which question of the call; of a question alone.'),
    agent: z.string().optional().describe('The sub-agent that asks.'),
    opened_at: Timestamp,
    expires_at: Timestamp,
    event: Event.describe('As the stream of the turn told it: of a question, its tool_call.'),
  })
  .meta({ id: 'PendingRequest' });
export type PendingRequest = z.infer<typeof PendingRequest>;

export const RequestList = z
  .object({ requests: z.array(PendingRequest).describe('The oldest first.') })
  .meta({ id: 'RequestList' });
export type RequestList = z.infer<typeof RequestList>;
