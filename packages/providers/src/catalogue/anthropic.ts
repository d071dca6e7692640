/** Anthropic's models. Newer ones can be named in the settings. */

import type { ModelFacts } from './facts.ts';
import { ALL_EFFORTS, ALWAYS_THINKS, model, NEVER_THINKS, usd } from './facts.ts';

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
