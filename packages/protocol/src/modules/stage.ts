/** Defines the stages of a turn at which modules run (MOD-7). */
import { z } from 'zod';
import { Id, JsonObject } from '../base/primitives.ts';
import { TurnEnd } from '../turns/turn.ts';

/** A stage: the payload for a module, and the allowed effects of its answer. */
const stage = <
  Payload extends z.ZodObject,
  const Fields extends readonly (keyof z.infer<Payload>)[],
  const Blocks extends boolean,
>(
  payload: Payload,
  powers: { changes: Fields; blocks: Blocks },
) => ({ payload, ...powers });

/**
 * The list of stages, in the order of a turn. `changes` are the fields that an answer may replace; `blocks` states
 * whether an answer may stop the message or the call.
 */
export const STAGES = {
  message: stage(
    z.object({
      text: z.string(),
      sender: z.string(),
      attachments: z.array(z.object({ kind: z.enum(['image', 'file']), name: z.string().optional() })),
    }),
    { changes: ['text'], blocks: true },
  ),
  prompt: stage(z.object({ fragments: z.array(z.string()) }), { changes: ['fragments'], blocks: false }),
  tool_call: stage(z.object({ name: z.string(), input: JsonObject }), { changes: ['input'], blocks: true }),
  tool_result: stage(z.object({ name: z.string(), output: z.string(), is_error: z.boolean() }), {
    changes: ['output', 'is_error'],
    blocks: false,
  }),
  turn_done: stage(z.object({ turn_id: Id, status: TurnEnd, text: z.string() }), {
    changes: [],
    blocks: false,
  }),
} as const;

export type StageName = keyof typeof STAGES;
export const StageName = z.enum(Object.keys(STAGES) as [StageName]);
export type StagePayload<Stage extends StageName> = z.infer<(typeof STAGES)[Stage]['payload']>;

/** The fields of its payload that an answer may replace. */
export type ChangeableField<Stage extends StageName> = (typeof STAGES)[Stage]['changes'][number];

/** The stages whose answer may stop the message or the call. */
export type BlockingStage = {
  [Stage in StageName]: (typeof STAGES)[Stage]['blocks'] extends true ? Stage : never;
}[StageName];

export const StageDecl = z.object({
  stage: StageName,
  on_error: z.enum(['pass', 'block']).default('pass').describe('The effect of a failure or timeout.'),
  timeout_secs: z.number().positive().max(600).optional(),
});
export type StageDecl = z.infer<typeof StageDecl>;

export const StageResult = z.object({
  action: z.enum(['pass', 'replace', 'block']),
  payload: JsonObject.optional(),
  reason: z.string().max(2000).optional(),
});
export type StageResult = z.infer<typeof StageResult>;
