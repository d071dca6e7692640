/**
 * Google's models. Newer ones can be named in the settings. Gemini 3 cannot run without thinking: there, `off` is its
 * lowest level.
 */

import type { ModelFacts } from './facts.ts';
import { ALL_EFFORTS, model, NEVER_THINKS, usd } from './facts.ts';

export const GOOGLE: Record<string, ModelFacts> = {
  'gemini-3.5-flash': model('Gemini 3.5 Flash', 1_048_576, 65_536, ALL_EFFORTS, usd(1.5, 9, 0.15)),
  'gemini-3.1-pro-preview': model('Gemini 3.1 Pro', 1_048_576, 65_536, ALL_EFFORTS, usd(2, 12, 0.2)),
  'gemini-3.1-flash-lite': model(
    'Gemini 3.1 Flash-Lite',
    1_048_576,
    65_536,
    ALL_EFFORTS,
    usd(0.25, 1.5, 0.025),
  ),
  'gemini-3-flash-preview': model('Gemini 3 Flash', 1_048_576, 65_536, ALL_EFFORTS, usd(0.5, 3, 0.05)),
  'gemini-2.5-pro': model('Gemini 2.5 Pro', 1_048_576, 65_536, ALL_EFFORTS, usd(1.25, 10, 0.125)),
  'gemini-2.5-flash': model('Gemini 2.5 Flash', 1_048_576, 65_536, ALL_EFFORTS, usd(0.3, 2.5, 0.03)),
  'gemini-2.5-flash-lite': model(
    'Gemini 2.5 Flash-Lite',
    1_048_576,
    65_536,
    ALL_EFFORTS,
    usd(0.1, 0.4, 0.01),
  ),
  'gemini-2.5-flash-image': model(
    'Gemini 2.5 Flash Image',
    32_768,
    32_768,
    NEVER_THINKS,
    usd(0.3, 30, 0.075),
  ),
  'gemini-2.0-flash': model('Gemini 2.0 Flash', 1_048_576, 8_192, NEVER_THINKS, usd(0.1, 0.4, 0.025)),
};
