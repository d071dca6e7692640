/** Computes how much of a model's window a history may use, by the profile of its chat. */
import type { Chat, Model } from '@chat-kernel/protocol';

export interface ContextBudget {
  /** The number of tokens from which history is compacted. */
  limit: number;
  /** The approximate number of tokens of history that a compaction keeps verbatim. */
  keep: number;
  /** The number of tokens to which truncation reduces a running turn. */
  squeezed: number;
}

/** The minimum number of tokens that is reserved for the answer. */
const MIN_ANSWER_TOKENS = 1024;

/**
 * The budget in a window. Null if the profile is off: then nothing is compacted automatically.
 * @param at the setting compaction.at, a share of the window
 */
export function roomIn(
  { context_window, max_output_tokens }: Pick<Model, 'context_window' | 'max_output_tokens'>,
  profile: Chat['compaction'],
  at: number,
): ContextBudget | null {
  if (profile === 'off') return null;
  const shares = {
    auto: { limit: at, keep: 0.25 },
    tight: { limit: Math.min(at, 0.5), keep: 0.3 },
    roomy: { limit: Math.max(at, 0.92), keep: 0.5 },
  }[profile];
  // Some models state that an answer may fill the whole window: a tenth of it is reserved for one.
  const answer = Math.max(MIN_ANSWER_TOKENS, Math.min(max_output_tokens, context_window / 10));
  const limit = Math.max(0, Math.floor(Math.min(context_window * shares.limit, context_window - answer)));
  return { limit, keep: Math.floor(limit * shares.keep), squeezed: Math.floor(limit * 0.7) };
}
