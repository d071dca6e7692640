/** Estimates the cost of a provider request before it is made: its prompt and an answer of typical length. */
import type { Usage } from '@chat-kernel/protocol';
import { LIKELY_OUTPUT_TOKENS, likelyCost } from '../model/pricing.ts';
import { estimateMessageTokens } from '../model/token-estimate.ts';
import { prefixTokens } from './prompt.ts';
import type { Run } from './running-turn.ts';
import type { TurnSetup } from './turn-setup.ts';

export async function estimateRequestCost(run: Run, setup: TurnSetup): Promise<Usage> {
  const tokens = await promptTokens(run, setup);
  return likelyCost(setup.model.record, tokens, run.turn.record.parameters.max_tokens);
}

/**
 * A summary reads the compacted messages, perhaps in several parts; each but the first also reads the summary so far.
 */
export async function estimateFoldCost(
  run: Run,
  setup: Pick<TurnSetup, 'model' | 'system' | 'tools'>,
): Promise<Usage> {
  const tokens = await promptTokens(run, setup);
  return likelyCost(setup.model.record, tokens + LIKELY_OUTPUT_TOKENS);
}

async function promptTokens(run: Run, setup: Pick<TurnSetup, 'system' | 'tools'>): Promise<number> {
  // The provider has counted the prompt of a turn. The prompt of a sub-agent is not counted before it is sent.
  const counted = run === run.turn ? run.turn.model.window.tokens : null;
  return counted ?? prefixTokens(setup) + estimateMessageTokens((await run.history()).messages);
}
