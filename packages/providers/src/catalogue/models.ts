/** The models of each vendor. Newer ones can be named in the settings. */
import type { Effort, Model, Price } from '@chat-kernel/protocol';

/** The facts of a model that do not depend on its host. */
export type ModelFacts = Pick<
  Model,
  'name' | 'context_window' | 'max_output_tokens' | 'efforts' | 'inputs' | 'price'
>;

const ALL_EFFORTS: Effort[] = ['off', 'low', 'mid', 'high'];
const ALWAYS_THINKS: Effort[] = ['low', 'mid', 'high'];
const NEVER_THINKS: Effort[] = ['off'];

/**
 * Creates a row: title, window and output limit in tokens, efforts, price. A model accepts images unless it is a
 * `textModel`.
 */
const model = (
  name: string,
  context_window: number,
  max_output_tokens: number,
  efforts: Effort[],
  price: Price | null,
): ModelFacts => ({ name, context_window, max_output_tokens, efforts, inputs: ['text', 'image'], price });

const textModel = (...facts: Parameters<typeof model>): ModelFacts => ({
  ...model(...facts),
  inputs: ['text'],
});

/** Creates a price in USD per million tokens; without the third, cached input costs as much as other input. */
const usd = (input: number, output: number, cached_input?: number): Price => ({
  input,
  output,
  ...(cached_input !== undefined && { cached_input }),
});

export const ANTHROPIC: Record<string, ModelFacts> = {
  'claude-sonnet-5': model('Claude Sonnet 5', 1_000_000, 128_000, ALL_EFFORTS, usd(2, 10, 0.2)),
  'claude-opus-4-8': model('Claude Opus 4.8', 1_000_000, 128_000, ALL_EFFORTS, usd(5, 25, 0.5)),
  'claude-opus-4-7': model('Claude Opus 4.7', 1_000_000, 128_000, ALL_EFFORTS, usd(5, 25, 0.5)),
  'claude-opus-4-6': model('Claude Opus 4.6', 1_000_000, 128_000, ALL_EFFORTS, usd(5, 25, 0.5)),
  'claude-opus-4-5': model('Claude Opus 4.5', 200_000, 64_000, ALL_EFFORTS, usd(5, 25, 0.5)),
  'claude-opus-4-1': model('Claude Opus 4.1', 200_000, 32_000, ALL_EFFORTS, usd(15, 75, 1.5)),
  'claude-sonnet-4-6': model('Claude Sonnet 4.6', 1_000_000, 64_000, ALL_EFFORTS, usd(3, 15, 0.3)),
  'claude-sonnet-4-5': model('Claude Sonnet 4.5', 200_000, 64_000, ALL_EFFORTS, usd(3, 15, 0.3)),
  'claude-haiku-4-5': model('Claude Haiku 4.5', 200_000, 64_000, ALL_EFFORTS, usd(1, 5, 0.1)),
  'claude-fable-5': model('Claude Fable 5', 1_000_000, 128_000, ALWAYS_THINKS, usd(10, 50, 1)),
  'claude-3-haiku': model('Claude Haiku 3', 200_000, 4_096, NEVER_THINKS, usd(0.25, 1.25, 0.03)),
};

const PRO: Effort[] = ['mid', 'high'];

export const OPENAI: Record<string, ModelFacts> = {
  'gpt-5.5': model('GPT-5.5', 1_050_000, 128_000, ALL_EFFORTS, usd(5, 30, 0.5)),
  'gpt-5.5-pro': model('GPT-5.5 Pro', 1_050_000, 128_000, PRO, usd(30, 180)),
  'gpt-5.4': model('GPT-5.4', 1_050_000, 128_000, ALL_EFFORTS, usd(2.5, 15, 0.25)),
  'gpt-5.4-mini': model('GPT-5.4 mini', 400_000, 128_000, ALL_EFFORTS, usd(0.75, 4.5, 0.075)),
  'gpt-5.4-nano': model('GPT-5.4 nano', 400_000, 128_000, ALL_EFFORTS, usd(0.2, 1.25, 0.02)),
  'gpt-5.3-codex': model('GPT-5.3 Codex', 400_000, 128_000, ALL_EFFORTS, usd(1.75, 14, 0.175)),
  'gpt-5.2': model('GPT-5.2', 400_000, 128_000, ALL_EFFORTS, usd(1.75, 14, 0.175)),
  'gpt-5.2-codex': model('GPT-5.2 Codex', 400_000, 128_000, ALWAYS_THINKS, usd(1.75, 14, 0.175)),
  'gpt-5.1': model('GPT-5.1', 400_000, 128_000, ALL_EFFORTS, usd(1.25, 10, 0.125)),
  'gpt-5.1-codex': model('GPT-5.1 Codex', 400_000, 128_000, ALWAYS_THINKS, usd(1.25, 10, 0.125)),
  'gpt-5.1-codex-max': model('GPT-5.1 Codex Max', 400_000, 128_000, ALWAYS_THINKS, usd(1.25, 10, 0.125)),
  'gpt-5.1-codex-mini': model('GPT-5.1 Codex mini', 400_000, 128_000, ALWAYS_THINKS, usd(0.25, 2, 0.025)),
  'gpt-5': model('GPT-5', 400_000, 128_000, ALL_EFFORTS, usd(1.25, 10, 0.125)),
  'gpt-5-pro': model('GPT-5 Pro', 400_000, 272_000, ['high'], usd(15, 120)),
  'gpt-5-mini': model('GPT-5 mini', 400_000, 128_000, ALL_EFFORTS, usd(0.25, 2, 0.025)),
  'gpt-5-nano': model('GPT-5 nano', 400_000, 128_000, ALL_EFFORTS, usd(0.05, 0.4, 0.005)),
  'gpt-4.1': model('GPT-4.1', 1_047_576, 32_768, NEVER_THINKS, usd(2, 8, 0.5)),
  'gpt-4.1-mini': model('GPT-4.1 mini', 1_047_576, 32_768, NEVER_THINKS, usd(0.4, 1.6, 0.1)),
  'gpt-4.1-nano': model('GPT-4.1 nano', 1_047_576, 32_768, NEVER_THINKS, usd(0.1, 0.4, 0.025)),
  'gpt-4o': model('GPT-4o', 128_000, 16_384, NEVER_THINKS, usd(2.5, 10, 1.25)),
  'gpt-4o-mini': model('GPT-4o mini', 128_000, 16_384, NEVER_THINKS, usd(0.15, 0.6, 0.075)),
  o3: model('o3', 200_000, 100_000, ALWAYS_THINKS, usd(2, 8, 0.5)),
  'o3-mini': textModel('o3-mini', 200_000, 100_000, ALWAYS_THINKS, usd(1.1, 4.4, 0.55)),
  'o4-mini': model('o4-mini', 200_000, 100_000, ALWAYS_THINKS, usd(1.1, 4.4, 0.275)),
  o1: model('o1', 200_000, 100_000, ALWAYS_THINKS, usd(15, 60, 7.5)),
};

const gemini = (name: string, price: Price) => model(name, 1_048_576, 65_536, ALL_EFFORTS, price);

/** Gemini 3 cannot run without thinking: there, `off` is its lowest level. */
export const GOOGLE: Record<string, ModelFacts> = {
  'gemini-3.5-flash': gemini('Gemini 3.5 Flash', usd(1.5, 9, 0.15)),
  'gemini-3.1-pro-preview': gemini('Gemini 3.1 Pro', usd(2, 12, 0.2)),
  'gemini-3.1-flash-lite': gemini('Gemini 3.1 Flash-Lite', usd(0.25, 1.5, 0.025)),
  'gemini-3-flash-preview': gemini('Gemini 3 Flash', usd(0.5, 3, 0.05)),
  'gemini-2.5-pro': gemini('Gemini 2.5 Pro', usd(1.25, 10, 0.125)),
  'gemini-2.5-flash': gemini('Gemini 2.5 Flash', usd(0.3, 2.5, 0.03)),
  'gemini-2.5-flash-lite': gemini('Gemini 2.5 Flash-Lite', usd(0.1, 0.4, 0.01)),
  'gemini-2.5-flash-image': model(
    'Gemini 2.5 Flash Image',
    32_768,
    32_768,
    NEVER_THINKS,
    usd(0.3, 30, 0.075),
  ),
  'gemini-2.0-flash': model('Gemini 2.0 Flash', 1_048_576, 8_192, NEVER_THINKS, usd(0.1, 0.4, 0.025)),
};

/** OpenAI-compatible services whose keys are found in the environment. */
export const XAI: Record<string, ModelFacts> = {
  'grok-4.3': model('Grok 4.3', 1_000_000, 30_000, ALL_EFFORTS, usd(1.25, 2.5, 0.2)),
};

/** DeepSeek's models turn thinking on or off by a parameter that the chat completions wire does not have. */
export const DEEPSEEK: Record<string, ModelFacts> = {
  'deepseek-v4-flash': textModel(
    'DeepSeek V4 Flash',
    1_000_000,
    384_000,
    NEVER_THINKS,
    usd(0.14, 0.28, 0.0028),
  ),
  'deepseek-v4-pro': textModel(
    'DeepSeek V4 Pro',
    1_000_000,
    384_000,
    NEVER_THINKS,
    usd(0.435, 0.87, 0.003625),
  ),
};

export const MISTRAL: Record<string, ModelFacts> = {
  'mistral-large-latest': model('Mistral Large', 262_144, 262_144, NEVER_THINKS, usd(0.5, 1.5)),
  'mistral-small-latest': model('Mistral Small', 256_000, 256_000, ['off', 'high'], usd(0.15, 0.6)),
};

export const GROQ: Record<string, ModelFacts> = {
  'openai/gpt-oss-120b': textModel('gpt-oss 120B', 131_072, 65_536, ALWAYS_THINKS, usd(0.15, 0.6, 0.075)),
  'openai/gpt-oss-20b': textModel('gpt-oss 20B', 131_072, 65_536, ALWAYS_THINKS, usd(0.075, 0.3, 0.0375)),
  'llama-3.3-70b-versatile': textModel('Llama 3.3 70B', 131_072, 32_768, NEVER_THINKS, usd(0.59, 0.79)),
};
