/** Defines the messages between kernel and modules: JSON-RPC 2.0, one object per line (MOD-1 to MOD-9). */
import { z } from 'zod';
import { SectionList } from '../base/bounded.ts';
import { Anchor, Id, JsonObject } from '../base/primitives.ts';
import { Effect } from '../service/tool.ts';
import { DESCRIBES_REQUEST } from '../tables/operation-fields.ts';
import { StageDecl, StageName } from './stage.ts';

/** Longest line in bytes, including its newline. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** The version of this protocol. */
export const MODULE_PROTOCOL = 1;

/** The chat and the person of a call. Sent with every call (MOD-5). */
export const TurnContext = z
  .object({
    chat_id: Id,
    sender: z.string().describe('Empty: the master.'),
    master: z.boolean(),
    trusted: z.boolean(),
    privileged: z.boolean().describe('The master, not through a surface.'),
    client_ops: z.boolean().describe('The machine of a client is reachable while the turn is open.'),
    anchor: Anchor.optional().describe(
      'Present only if the turn is bound to a message of the surface of this module.',
    ),
  })
  .meta({ id: 'TurnContext' });
export type TurnContext = z.infer<typeof TurnContext>;

/** The allowed names of modules and their tools. */
export const MODULE_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/;

export const ToolDecl = z.object({
  name: z
    .string()
    .regex(MODULE_NAME, 'expected a letter, then letters, digits, _ or -')
    .describe('The short name. The kernel adds the name of the module as a prefix.'),
  description: z.string().max(20_000),
  input_schema: JsonObject.optional().describe('Schema of an object. Absent: no arguments.'),
  icon: z.string().max(64).optional(),
  trusted_only: z.boolean().optional(),
  client_only: z.boolean().optional(),
  on_demand: z.boolean().optional(),
  timeout_secs: z.number().positive().max(3600).optional(),
  ends_turn: z.boolean().optional(),
  effects: z
    .array(Effect)
    .max(Effect.options.length)
    .optional()
    .describe('The possible effects of a call. Absent: the tool sends something out.'),
  asks: z
    .boolean()
    .optional()
    .describe('The tool asks for consent before it acts, so the kernel does not ask about the call.'),
  outside: z
    .boolean()
    .optional()
    .describe('The results contain words that neither the owner nor the module wrote.'),
});
export type ToolDecl = z.infer<typeof ToolDecl>;

export const InitializeParams = z.object({
  protocol: z.int(),
  name: z.string(),
  kernel: z.object({ version: z.string(), url: z.string() }),
});
export type InitializeParams = z.infer<typeof InitializeParams>;

export const InitializeResult = z.object({
  protocol: z.int(),
  name: z.string(),
  version: z.string().max(100),
  about: z.string().max(500).describe('A phrase that says what its tools are for.'),
  icon: z.string().max(64).optional(),
  tools: z.array(ToolDecl).max(200),
  stages: z.array(StageDecl).max(StageName.options.length).default([]),
});
export type InitializeResult = z.infer<typeof InitializeResult>;

export const CallParams = z.object({
  call_id: z.string(),
  name: z.string().describe('The short name.'),
  input: JsonObject,
  context: TurnContext,
});
export type CallParams = z.infer<typeof CallParams>;

/** Longest total text that is shown to the owner, in characters. */
const MAX_SHOWN = 200_000;

function fieldMistake(field: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(field)) return 'expected a field name in lowercase, such as subject';
  return Object.hasOwn(DESCRIBES_REQUEST, field) ? 'this field name is reserved' : undefined;
}

/** The external action that the owner is asked to approve: field → its text, as the owner reads it. */
export const ConsentParams = z.object({
  call_id: z.string(),
  shown: z
    .record(z.string(), z.string())
    .superRefine((shown, context) => {
      for (const field of Object.keys(shown)) {
        const message = fieldMistake(field);
        if (message) context.addIssue({ code: 'custom', path: [field], message });
      }
    })
    .refine(shown => Object.keys(shown).length > 0, 'expected at least one field for the owner to read')
    .refine(
      shown => Object.values(shown).reduce((sum, { length }) => sum + length, 0) <= MAX_SHOWN,
      `expected at most ${MAX_SHOWN} characters in total`,
    ),
});
export type ConsentParams = z.infer<typeof ConsentParams>;

export const ConsentResult = z.object({
  allowed: z.boolean(),
  reason: z.string().default('').describe('The text for the model if the action is not allowed.'),
});
export type ConsentResult = z.infer<typeof ConsentResult>;

/** A question of a module to the owner, outside of calls. */
export const QuestionParams = z.object({
  question: z.string().min(1).max(10_000),
  options: z
    .array(z.object({ label: z.string().min(1).max(100), description: z.string().max(500).optional() }))
    .min(1)
    .max(20),
});
export type QuestionParams = z.infer<typeof QuestionParams>;

export const QuestionResult = z.object({
  answer: z.string().nullable().describe('Null: the owner has not answered in time.'),
});
export type QuestionResult = z.infer<typeof QuestionResult>;

export const CallResult = z.object({
  output: z.string().default(''),
  blocks: SectionList.optional(),
  images: z
    .array(z.object({ media_type: z.string(), data: z.string().describe('base64') }))
    .max(20)
    .optional(),
  is_error: z.boolean().optional(),
});
export type CallResult = z.infer<typeof CallResult>;
