/** Models of the OpenAI-compatible services whose keys are found in the environment. */

import type { ModelFacts } from './facts.ts';
import { ALL_EFFORTS, ALWAYS_THINKS, model, NEVER_THINKS, textOnly, usd } from './facts.ts';

export const XAI: Record<string, ModelFacts> = {
  'grok-4.3': model('Grok 4.3', 1_000_000, 30_000, ALL_EFFORTS, usd(1.25, 2.5, 0.2)),
};

/** DeepSeek's models turn thinking on or off by a parameter that the chat completions wire does not have. */
export const DEEPSEEK: Record<string, ModelFacts> = {
  'deepseek-v4-flash': textOnly(
    model('DeepSeek V4 Flash', 1_000_000, 384_000, NEVER_THINKS, usd(0.14, 0.28, 0.0028)),
  ),
  'deepseek-v4-pro': textOnly(
    model('DeepSeek V4 Pro', 1_000_000, 384_000, NEVER_THINKS, usd(0.435, 0.87, 0.003625)),
  ),
};

export const MISTRAL: Record<string, ModelFacts> = {
  'mistral-large-latest': model('Mistral Large', 262_144, 262_144, NEVER_THINKS, usd(0.5, 1.5)),
  'mistral-small-latest': model('Mistral Small', 256_000, 256_000, ['off', 'high'], usd(0.15, 0.6)),
};

export const GROQ: Record<string, ModelFacts> = {
  'openai/gpt-oss-120b': textOnly(
    model('gpt-oss 120B', 131_072, 65_536, ALWAYS_THINKS, usd(0.15, 0.6, 0.075)),
  ),
  'openai/gpt-oss-20b': textOnly(
    model('gpt-oss 20B', 131_072, 65_536, ALWAYS_THINKS, usd(0.075, 0.3, 0.0375)),
  ),
  'llama-3.3-70b-versatile': textOnly(model('Llama 3.3 70B', 131_072, 32_768, NEVER_THINKS, usd(0.59, 0.79))),
};
