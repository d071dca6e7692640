/** How much of a model's window a history may fill, by the profile of its chat. */
import type { Chat, Model } from '@chat-kernel/protocol';

export interface Room {
  /** The tokens from which on history is folded. */
  limit: number;
  /** The tokens of history that a fold keeps word for word, about. */
  keep: number;
  /** The tokens that a squeeze brings a running turn down to. */
  squeezed: number;
}

/** The tokens that are always left for the answer. */
const LEAST_ANSWER_TOKENS = 1024;

/**
 * The room in a window. Null where the profile is off: then nothing folds by itself.
 * @param at the setting compaction.at, a share of the window
 */
export function roomIn(
  { context_window, max_output_tokens }: Pick<Model, 'context_window' | 'max_output_tokens'>,
  profile: Chat['compaction'],
  at: number,
): Room | null {
  if (profile === 'off') return null;
  const shares = {
    auto: { limit: at, keep: 0.25 },
    tight: { limit: Math.min(at, 0.5), keep: 0.3 },
    roomy: { limit: Math.max(at, 0.92), keep: 0.5 },
  }[profile];
  // Some models say that an answer may fill the whole window: a tenth of it is kept free for one.
  const answer = Math.max(LEAST_ANSWER_TOKENS, Math.min(max_output_tokens, context_window / 10));
  const limit = Math.max(0, Math.floor(Math.min(context_window * shares.limit, context_window - answer)));
  return { limit, keep: Math.floor(limit * shares.keep), squeezed: Math.floor(limit * 0.7) };
}
