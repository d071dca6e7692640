/** The body of POST messages, which starts a turn. */
import { z } from 'zod';
import { Anchor } from '../base/anchor.ts';
import { Effort } from '../base/effort.ts';
import { ChatTitle, ClientId, Id, JsonObject } from '../base/primitives.ts';
import { imageShape } from '../history/block.ts';
import { EventType } from './event.ts';

export const ExtraTool = z
  .object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, _ or -'),
    description: z.string(),
    input_schema: JsonObject.optional().describe('JSON Schema of the input; absent: no arguments.'),
    timeout_secs: z.int().min(1).max(3600).optional(),
    ends_turn: z.boolean().optional().describe('A successful call closes the turn.'),
  })
  .meta({ id: 'ExtraTool' });
export type ExtraTool = z.infer<typeof ExtraTool>;

export const TurnRequest = z
  .object({
    text: z.string().optional(),
    sender: z
      .string()
      .min(1)
      .optional()
      .describe('Absent, and no person_id: the master speaks. Alone: a stranger.'),
    person_id: Id.optional().describe('The message is of this person, with or without a sender.'),
    images: z.array(z.object(imageShape)).optional(),
    files: z
      .array(z.object({ id: z.string() }))
      .optional()
      .describe('Ids that POST /v1/files returned.'),
    context: z.string().optional(),
    effort: Effort.optional(),
    model: z.string().min(1).optional(),
    mute: z.array(EventType).optional().describe('These event types are not sent on this stream.'),
    project_docs: z.boolean().optional(),
    list_dir: z
      .boolean()
      .optional()
      .describe('The client knows the operation list_dir: with `project_docs`, skills are looked for.'),
    client_ops: z.boolean().optional().describe('This client has hands.'),
    machine: z
      .enum(['auto', 'none'])
      .optional()
      .describe('none: no tool of this turn works on a machine, and its prompt has no [project] block.'),
    questions: z.boolean().optional().describe('This client can show questions; default: client_ops.'),
    client_id: ClientId.optional(),
    extra_tools: z.array(ExtraTool).max(128).optional(),
    anchor: Anchor.optional(),
    chat_title: ChatTitle.optional().describe('Becomes the title of a chat that has none.'),
    reply_to_ext_id: z.string().optional(),
    reply_to_text: z.string().optional(),
    guest: z.boolean().optional(),
    max_tokens: z.int().min(1).optional().describe('Most tokens of one answer of the model.'),
    brief: z.boolean().optional().describe('Asks the model for a short answer.'),
    surface_model: z.string().min(1).optional().describe('Counts where the chat has no model.'),
    surface_effort: Effort.optional(),
    tools: z.array(z.string()).optional().describe('Groups or tool names: only these are offered.'),
    on_busy: z.enum(['queue', 'reject']).default('queue'),
  })
  .meta({ id: 'TurnRequest' });
export type TurnRequest = z.infer<typeof TurnRequest>;
