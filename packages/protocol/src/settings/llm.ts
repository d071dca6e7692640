/** Providers and models. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { Price } from '../service/model.ts';
import { secret } from './secret.ts';

export const ProviderSettings = z.strictObject({
  kind: z
    .enum(['openai', 'openai-compatible', 'anthropic', 'google', 'ai-sdk', 'demo'])
    .describe('Which wire the provider speaks.'),
  base_url: z.url().optional().describe('Default: the provider’s own address.'),
  api_key: secret(z.string()).optional().describe('The key itself; better: api_key_env.'),
  api_key_env: z.string().optional().describe('Name of the environment variable that holds the key.'),
  package: z.string().optional().describe('For kind ai-sdk: the npm name of an AI SDK provider package.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('Headers added to each request.'),
  timeout_secs: z
    .number()
    .positive()
    .default(300)
    .describe('Longest silence of the provider before the request fails.'),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;

export const ModelSettings = z.strictObject({
  id: z
    .string()
    .regex(/^[^/]+\/.+$/, 'expected provider/name')
    .describe('provider/name.'),
  name: z.string().optional(),
  context_window: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  effort: Effort.optional().describe('The level of this model; stronger than llm.reasoning.'),
  efforts: z.array(Effort).nonempty().optional().describe('The levels the model takes.'),
  inputs: z.array(z.enum(['text', 'image'])).optional(),
  price: Price.optional(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

export const LlmSection = z
  .strictObject({
    reasoning: Effort.default('low').describe('Reasoning level where nothing else says one.'),
    default_model: z.string().nullable().default(null).describe('Null = the first usable model.'),
    max_steps: z.int().positive().default(100).describe('Most trips to the provider in one turn.'),
    system_prompt: z
      .string()
      .nullable()
      .default(null)
      .describe('Replaces the built-in opening of the prompt.'),
    providers: z
      .record(z.string().regex(/^[a-zA-Z0-9_-]+$/), ProviderSettings)
      .default({})
      .describe('Providers by name.'),
    models: z.array(ModelSettings).default([]).describe('Models, or facts that override the catalogue.'),
  })
  .prefault({});
