/** A call of a model, outside of any chat (API-5). */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { JsonObject } from '../base/primitives.ts';
import { Usage } from '../base/usage.ts';

export const CompletionRequest = z
  .object({
    prompt: z.string().optional().describe('One message of a user; this or messages.'),
    messages: z
      .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
      .max(10_000)
      .optional()
      .describe('The last one is a user’s.'),
    system: z.string().optional(),
    model: z.string().min(1).optional().describe('Absent: the default one.'),
    effort: Effort.optional().describe('Absent: the least that the model takes.'),
    max_tokens: z.int().min(1).optional(),
    cache: z
      .boolean()
      .optional()
      .describe('The system text repeats from call to call: providers that want to be told are told so.'),
    schema: JsonObject.optional().describe('JSON Schema of an object: the answer is to be the JSON of one.'),
  })
  .meta({ id: 'CompletionRequest' });
export type CompletionRequest = z.infer<typeof CompletionRequest>;

export const Completion = z
  .object({
    text: z.string(),
    model: z.string().describe('The id of the one that answered.'),
    usage: Usage.nullable().describe('Null: the provider has not told.'),
    schema_enforced: z
      .boolean()
      .optional()
      .describe(
        'With a schema: whether the provider was asked to hold the answer to it. Either way, parse defensively.',
      ),
  })
  .meta({ id: 'Completion' });
export type Completion = z.infer<typeof Completion>;
