/**
 * Defines blocks: messages consist of blocks, and the history consists only of messages. Items are a view of blocks.
 */
import { z } from 'zod';
import { JsonObject } from '../base/primitives.ts';
import { NOTE_FACTS } from '../tables/note-facts.ts';

export const TextBlock = z.object({ type: z.literal('text'), text: z.string() });
export const ThinkingBlock = z.object({ type: z.literal('thinking'), text: z.string() });
export const ToolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string().describe('The call id, unique within the chat.'),
  name: z.string(),
  input: JsonObject,
});
export const ToolResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  output: z.string(),
  is_error: z.boolean(),
});
export const ImageMediaType = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export type ImageMediaType = z.infer<typeof ImageMediaType>;
/** The fields of an image that a user attaches. */
export const imageShape = { media_type: ImageMediaType, data: z.string().describe('base64') };
export const ImageBlock = z
  .object({ type: z.literal('image'), ...imageShape })
  .describe('An image that the user sent.');
export const ContextBlock = z
  .object({ type: z.literal('context'), text: z.string() })
  .describe('Text of the client for the model only; never an item.');
/** The fields of a quoted message of a surface, `ext_id` being its id there. */
export const quoteShape = { ext_id: z.string().optional(), text: z.string() };
export const QuoteBlock = z.object({ type: z.literal('quote'), ...quoteShape });

export const Block = z
  .discriminatedUnion('type', [
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
    ToolResultBlock,
    ImageBlock,
    ContextBlock,
    QuoteBlock,
  ])
  .meta({ id: 'Block' });
export type Block = z.infer<typeof Block>;

export const PlanTask = z
  .object({ title: z.string().min(1), status: z.enum(['pending', 'in_progress', 'completed']) })
  .meta({ id: 'PlanTask' });
export type PlanTask = z.infer<typeof PlanTask>;

/** Always the whole plan, never a difference. An empty plan is closed. */
export const Plan = z.object({ tasks: z.array(PlanTask) }).meta({ id: 'Plan' });
export type Plan = z.infer<typeof Plan>;

export const NoteId = z.enum(Object.keys(NOTE_FACTS) as [keyof typeof NOTE_FACTS]);
export type NoteId = keyof typeof NOTE_FACTS;
