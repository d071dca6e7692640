/** What kernel and modules say to each other: JSON-RPC 2.0, one object per line (MOD-1 to MOD-9). */
import { z } from 'zod';
import { Anchor } from '../base/anchor.ts';
import { Id, JsonObject } from '../base/primitives.ts';

/** Bytes of one line, its end included. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** The version of this protocol. */
export const MODULE_PROTOCOL = 1;
/** JSON-RPC's own code for input that does not fit: a tool error that the model reads (MOD-6). */
export const INVALID_PARAMS = -32602;

/** Who asks, and for what: sent along with every call (MOD-5). */
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

const Name = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,31}$/, 'expected a letter, then letters, digits, _ or -');

export const ToolDecl = z.object({
  name: Name.describe('Short: the kernel puts the name of the module before it.'),
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

/** THE list of stages, in the order of a turn. */
export const STAGES = ['message', 'prompt', 'tool_call', 'tool_result', 'turn_done'] as const;
export const StageName = z.enum(STAGES);
export type StageName = z.infer<typeof StageName>;

export const StageDecl = z.object({
  stage: StageName,
  on_error: z.enum(['pass', 'block']).default('pass').describe('What a failure or a timeout means.'),
  timeout_secs: z.number().positive().max(600).optional(),
});
export type StageDecl = z.infer<typeof StageDecl>;

/** stage → its payload. */
export const STAGE_PAYLOADS = {
  message: z.object({
    text: z.string(),
    sender: z.string(),
    attachments: z.array(z.object({ kind: z.enum(['image', 'file']), name: z.string().optional() })),
  }),
  prompt: z.object({ fragments: z.array(z.string()) }),
  tool_call: z.object({ name: z.string(), input: JsonObject }),
  tool_result: z.object({ name: z.string(), output: z.string(), is_error: z.boolean() }),
  turn_done: z.object({
    turn_id: Id,
    status: z.enum(['completed', 'failed', 'cancelled']),
    text: z.string(),
  }),
} as const satisfies Record<StageName, z.ZodType>;
export type StagePayload<Stage extends StageName> = z.infer<(typeof STAGE_PAYLOADS)[Stage]>;

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
  stages: z.array(StageDecl).max(STAGES.length).default([]),
});
export type InitializeResult = z.infer<typeof InitializeResult>;

export const CallParams = z.object({
  call_id: z.string(),
  name: z.string().describe('The short name.'),
  input: JsonObject,
  context: TurnContext,
});
export type CallParams = z.infer<typeof CallParams>;

export const CallResult = z.object({
  output: z.string().default(''),
  blocks: z
    .array(z.object({ title: z.string(), content: z.string() }))
    .max(1000)
    .optional(),
  images: z
    .array(z.object({ media_type: z.string(), data: z.string().describe('base64') }))
    .max(20)
    .optional(),
  is_error: z.boolean().optional(),
});
export type CallResult = z.infer<typeof CallResult>;

export const StageResult = z.object({
  action: z.enum(['pass', 'replace', 'block']),
  payload: JsonObject.optional(),
  reason: z.string().max(2000).optional(),
});
export type StageResult = z.infer<typeof StageResult>;
