/** Defines the settings of providers and models. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { Price } from '../service/model.ts';
import { secret } from './secret.ts';

export const ProviderSettings = z.strictObject({
  kind: z
    .enum(['openai', 'openai-compatible', 'anthropic', 'google', 'ai-sdk', 'demo'])
    .describe('API type of the provider.'),
  base_url: z
    .url()
    .optional()
    .describe(
      'API URL, such as https://example.org/v1; its query goes with each request. Default: the provider’s own.',
    ),
  api_key: secret(z.string()).optional().describe('API key. Prefer api_key_env.'),
  api_key_env: z.string().optional().describe('Name of the environment variable that holds the key.'),
  package: z.string().optional().describe('For kind ai-sdk: the npm name of an AI SDK provider package.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('Headers added to each request.'),
  timeout_secs: z
    .number()
    .positive()
    .default(300)
    .describe('Maximum time without data from the provider before the request fails.'),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;

export const ModelSettings = z.strictObject({
  id: z
    .string()
    .regex(/^[^/]+\/.+$/, 'expected provider/name')
    .describe('Model id, as provider/name.'),
  name: z.string().optional().describe('Display name.'),
  context_window: z.int().positive().optional().describe('Size of the context window, in tokens.'),
  max_output_tokens: z.int().positive().optional().describe('Maximum length of an answer, in tokens.'),
  effort: Effort.optional().describe('Reasoning level of this model. Overrides llm.reasoning.'),
  efforts: z.array(Effort).nonempty().optional().describe('Reasoning levels that the model supports.'),
  inputs: z
    .array(z.enum(['text', 'image']))
    .optional()
    .describe('Input types: text, image.'),
  price: Price.optional().describe(
    'Price in USD per million tokens, such as { input: 3, output: 15 }; needed for spending limits in USD.',
  ),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

export const LlmSection = z
  .strictObject({
    reasoning: Effort.default('low').describe('Default reasoning level.'),
    default_model: z
      .string()
      .nullable()
      .default(null)
      .describe('Default model, as provider/name. Null = the first usable model.'),
    max_steps: z.int().positive().default(100).describe('Maximum number of provider requests in one turn.'),
    system_prompt: z
      .string()
      .nullable()
      .default(null)
      .describe('Replaces the first part of the built-in system prompt.'),
    providers: z
      .record(z.string().regex(/^[a-zA-Z0-9_-]+$/), ProviderSettings)
      .default({})
      .describe('Providers by name.'),
    discover: z
      .boolean()
      .default(true)
      .describe('Also use providers with API keys in the environment, and Ollama on this machine.'),
    models: z
      .array(ModelSettings)
      .default([])
      .describe('Additional models, or values that override the catalog.'),
  })
  .prefault({});
