/** Defines the API schemas of calls to a model outside of any chat (API-5). */
import { z } from 'zod';
import { boundedObject, list, ModelText, NameText } from '../base/bounded.ts';
import { Effort } from '../base/effort.ts';
import { Usage } from '../base/usage.ts';

export const CompletionRequest = z
  .object({
    prompt: ModelText.optional().describe('One user message. Give either prompt or messages.'),
    messages: list(z.object({ role: z.enum(['user', 'assistant']), content: ModelText }), 10_000)
      .optional()
      .describe('The last message must have the role user.'),
    system: ModelText.optional(),
    model: NameText.min(1).optional().describe('Absent: the default model.'),
    effort: Effort.optional().describe('Absent: the lowest level of the model.'),
    max_tokens: z.int().min(1).optional(),
    cache: z
      .boolean()
      .optional()
      .describe(
        'Marks the system text as repeated in later calls, for providers with explicit prompt caching.',
      ),
    schema: boundedObject(1000)
      .optional()
      .describe('JSON Schema of an object. The answer is JSON of this shape.'),
  })
  .meta({ id: 'CompletionRequest' });
export type CompletionRequest = z.infer<typeof CompletionRequest>;

export const Completion = z
  .object({
    text: z.string(),
    model: z.string().describe('The id of the model that answered.'),
    usage: Usage.nullable().describe('Null: not reported by the provider.'),
    schema_enforced: z
      .boolean()
      .optional()
      .describe('With schema: whether the provider supports schemas. Parse defensively in both cases.'),
  })
  .meta({ id: 'Completion' });
export type Completion = z.infer<typeof Completion>;
