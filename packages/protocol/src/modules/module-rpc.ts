/** The messages between kernel and modules: JSON-RPC 2.0, one object per line (MOD-1 to MOD-9). */
import { z } from 'zod';
import { Anchor } from '../base/anchor.ts';
import { Id, JsonObject } from '../base/primitives.ts';
import { SectionList } from '../base/sections.ts';
import { ClientOpEvent } from '../turns/event.ts';
import { StageDecl, StageName } from './stage.ts';

/** Longest line, in bytes, with its end. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** The version of this protocol. */
export const MODULE_PROTOCOL = 1;

/** The chat and the person that a call belongs to. Sent with every call (MOD-5). */
export const TurnContext = z
  .object({
    chat_id: Id,
    sender: z.string().describe('Empty: the master.'),
    master: z.boolean(),
    trusted: z.boolean(),
    privileged: z.boolean().describe('The master, and not through a surface.'),
    client_ops: z.boolean().describe('The machine of a client can be reached while the turn is open.'),
    anchor: Anchor.optional().describe('Only where the turn is bound to a message of a surface.'),
  })
  .meta({ id: 'TurnContext' });
export type TurnContext = z.infer<typeof TurnContext>;

/** The names that modules and their tools may have. */
export const MODULE_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/;

export const ToolDecl = z.object({
  name: z
    .string()
    .regex(MODULE_NAME, 'expected a letter, then letters, digits, _ or -')
    .describe('Short: the kernel puts the name of the module before it.'),
  description: z.string().max(20_000),
  input_schema: JsonObject.optional().describe('Of an object; absent: no arguments.'),
  icon: z.string().max(64).optional(),
  trusted_only: z.boolean().optional(),
  client_only: z.boolean().optional(),
  on_demand: z.boolean().optional(),
  timeout_secs: z.number().positive().max(3600).optional(),
  ends_turn: z.boolean().optional(),
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
  about: z.string().max(500).describe('A phrase: what its tools are for.'),
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

/** Longest text in all that the owner is shown, in characters. */
const MAX_SHOWN = 200_000;

function fieldMistake(field: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(field)) return 'expected a field in small letters, such as subject';
  return Object.hasOwn(ClientOpEvent.shape, field) ? 'the kernel has a field of this name' : undefined;
}

/** What a call asks its owner's consent for: field → its text, as the owner reads it. */
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
    .refine(shown => Object.keys(shown).length > 0, 'expected something that the owner can read')
    .refine(
      shown => Object.values(shown).reduce((sum, { length }) => sum + length, 0) <= MAX_SHOWN,
      `expected at most ${MAX_SHOWN} characters in all`,
    ),
});
export type ConsentParams = z.infer<typeof ConsentParams>;

export const ConsentResult = z.object({
  allowed: z.boolean(),
  reason: z.string().default('').describe('For the model, where it is not allowed.'),
});
export type ConsentResult = z.infer<typeof ConsentResult>;

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
