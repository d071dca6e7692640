/** What a trip to the provider may cost, before it is made: its prompt, and an answer of a usual length. */
import type { Usage } from '@chat-kernel/protocol';
import { LIKELY_OUTPUT_TOKENS, likelyCost } from '../model/likely-cost.ts';
import { tokensOf } from '../model/token-estimate.ts';
import { prefixTokens } from './prompt.ts';
import type { Run } from './running-turn.ts';
import type { TurnSetup } from './turn-setup.ts';

export async function costOfTrip(run: Run, setup: TurnSetup): Promise<Usage> {
  const tokens = await promptTokens(run, setup);
  return likelyCost(setup.model.record, tokens, run.turn.record.parameters.max_tokens);
}

/** A summary reads what is folded, perhaps in several pieces, and each but the first reads the summary so far. */
export async function costOfFold(
  run: Run,
  setup: Pick<TurnSetup, 'model' | 'system' | 'tools'>,
): Promise<Usage> {
  const tokens = await promptTokens(run, setup);
  return likelyCost(setup.model.record, tokens + LIKELY_OUTPUT_TOKENS);
}

async function promptTokens(run: Run, setup: Pick<TurnSetup, 'system' | 'tools'>): Promise<number> {
  // A provider has counted the prompt of a turn; nobody counts that of a sub-agent before it is sent.
  const counted = run === run.turn ? run.turn.window.tokens : null;
  return counted ?? prefixTokens(setup) + tokensOf((await run.history()).messages);
}
