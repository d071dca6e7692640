/** Defines the body of POST messages, which starts a turn. */
import { z } from 'zod';
import {
  boundedObject,
  boundedText,
  ImageText,
  list,
  ModelText,
  NameText,
  QuoteText,
} from '../base/bounded.ts';
import { Effort } from '../base/effort.ts';
import { Anchor, ChatTitle, ClientId, Id } from '../base/primitives.ts';
import { imageShape } from '../history/block.ts';
import { EventType } from './event.ts';

/** The maximum number of event types that a request may mute. */
export const MAX_MUTED = 100;

export const ExtraTool = z
  .object({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, _ or -'),
    description: boundedText(100_000),
    input_schema: boundedObject(1000).optional().describe('JSON Schema of the input; absent: no arguments.'),
    timeout_secs: z.int().min(1).max(3600).optional(),
    ends_turn: z.boolean().optional().describe('A successful call ends the turn.'),
    outside: z
      .boolean()
      .optional()
      .describe(
        'Its results can contain text that the owner did not write: a call adds `tool:NAME` to `outside` of the turn.',
      ),
  })
  .meta({ id: 'ExtraTool' });
export type ExtraTool = z.infer<typeof ExtraTool>;

export const TurnRequest = z
  .object({
    text: ModelText.optional(),
    sender: NameText.min(1)
      .optional()
      .describe(
        'Absent without person_id: the master. Present without person_id: a stranger. `kernel` is rejected.',
      ),
    person_id: Id.optional().describe('The person who wrote the message, with or without sender.'),
    images: list(z.object({ ...imageShape, data: ImageText.describe('base64') }), 1000).optional(),
    files: list(z.object({ id: NameText }), 1000)
      .optional()
      .describe('Ids that POST /v1/files returned.'),
    context: ModelText.optional(),
    outside: z
      .array(z.string().min(1).max(200))
      .max(20)
      .optional()
      .describe(
        'The sources of text in this request that the speaker did not write, such as `telegram:group 42`.',
      ),
    effort: Effort.optional(),
    model: NameText.min(1).optional(),
    // A list that is only a little too long gets the error that names the limit.
    mute: list(z.union([EventType, NameText]), 10 * MAX_MUTED)
      .optional()
      .describe(`Event types to leave out of this stream, at most ${MAX_MUTED}. Unknown types are ignored.`),
    project_docs: z.boolean().optional(),
    list_dir: z
      .boolean()
      .optional()
      .describe(
        'The client supports the operation list_dir. With `project_docs`, the kernel looks for skills.',
      ),
    client_ops: z.boolean().optional().describe('This client can run operations.'),
    machine: z
      .enum(['auto', 'none'])
      .optional()
      .describe('none: the turn has no tools that work on a machine, and its prompt has no [project] block.'),
    questions: z.boolean().optional().describe('This client can show questions; default: client_ops.'),
    consents: z
      .boolean()
      .optional()
      .describe('This client shows the event consent_request, for as long as it reads the stream.'),
    whole_calls: z
      .boolean()
      .optional()
      .describe(
        'This client asks about a call as a whole: the first operation that needs a decision has `call`, and its decision covers them all.',
      ),
    client_id: ClientId.optional(),
    extra_tools: z.array(ExtraTool).max(128).optional(),
    anchor: Anchor.optional(),
    chat_title: ChatTitle.optional().describe('The title for a chat without one.'),
    reply_to_ext_id: NameText.optional(),
    reply_to_text: QuoteText.optional(),
    guest: z.boolean().optional(),
    max_tokens: z.int().min(1).optional().describe('Maximum number of tokens of one model response.'),
    brief: z.boolean().optional().describe('Asks the model for a short answer.'),
    surface_model: NameText.min(1).optional().describe('Applies if the chat has no model.'),
    surface_effort: Effort.optional(),
    tools: list(NameText, 10_000)
      .optional()
      .describe(
        'Groups or tool names. Only these are offered. The header X-Ignored-Tools lists unknown ones.',
      ),
    on_busy: z.enum(['queue', 'reject']).default('queue'),
  })
  .meta({ id: 'TurnRequest' });
export type TurnRequest = z.infer<typeof TurnRequest>;
