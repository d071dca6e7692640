/** OpenAI's models. Newer ones can be named in the settings. */
import type { Effort } from '@chat-kernel/protocol';
import type { ModelFacts } from './facts.ts';
import { ALL_EFFORTS, ALWAYS_THINKS, model, NEVER_THINKS, textOnly, usd } from './facts.ts';

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
  'o3-mini': textOnly(model('o3-mini', 200_000, 100_000, ALWAYS_THINKS, usd(1.1, 4.4, 0.55))),
  'o4-mini': model('o4-mini', 200_000, 100_000, ALWAYS_THINKS, usd(1.1, 4.4, 0.275)),
  o1: model('o1', 200_000, 100_000, ALWAYS_THINKS, usd(15, 60, 7.5)),
};
